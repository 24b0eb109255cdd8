// JSON as text that can be copied. Long values are cut where they are shown, not where they are
// copied.
import { useMemo, useState } from 'preact/hooks';
import { announce } from './announce.js';
import { jsonText } from './json.js';

const LONG = 100_000;

export function JsonView({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <CodeView label={label} text={useMemo(() => jsonText(value), [value])} />;
}

export function CodeView({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied');
      setTimeout(() => setCopied(false), 2000);
    } catch {
      announce('Copying is not allowed here');
    }
  };
  return (
    <div class="code">
      {/* Browsers have a clipboard only for pages of this machine and of HTTPS. */}
      {navigator.clipboard !== undefined && (
        <button type="button" class="copy" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled by keyboard */}
      <figure tabIndex={0} aria-label={label}>
        <pre>
          {text.length > LONG ? `${text.slice(0, LONG)}\n… ${text.length} characters` : text}
        </pre>
      </figure>
    </div>
  );
}
