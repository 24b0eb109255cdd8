export function Content() {
  return <p>search</p>;
}
