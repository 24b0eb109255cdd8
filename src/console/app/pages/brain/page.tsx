export function Content() {
  return <p>brain</p>;
}
