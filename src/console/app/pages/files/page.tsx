export function Content() {
  return <p>files</p>;
}
