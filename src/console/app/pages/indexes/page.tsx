export function Content() {
  return <p>indexes</p>;
}
