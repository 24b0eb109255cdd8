export function Content() {
  return <p>memory</p>;
}
