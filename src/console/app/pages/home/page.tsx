export function Content() {
  return <p>home</p>;
}
