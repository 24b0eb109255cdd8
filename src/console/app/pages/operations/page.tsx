export function Content() {
  return <p>operations</p>;
}
