// The frame of all pages: skip link, header with navigation, and the page that the address names.
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Announcer } from '../kit/announce.js';
import { toRequestError } from '../kit/api.js';
import { Dialog } from '../kit/dialog.js';
import { useLoad } from '../kit/load.js';
import { ErrorBox, Progress } from '../kit/messages.js';
import { href, route } from '../kit/router.js';
import { session } from '../kit/session.js';
import { PAGES, type Page } from '../pages/pages.js';
import { KeyForm, KeyRequired } from './key-form.js';

export function App() {
  const [isKeyOpen, setKeyOpen] = useState(false);
  const name = route.value.page;
  const page = PAGES.find((one) => one.name === name) ?? (name === '' ? PAGES[0] : undefined);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header>
        <a class="brand" href={href('home')}>
          Quarry
        </a>
        <nav aria-label="Pages">
          <ul>
            {PAGES.map((one) => (
              <li key={one.name}>
                <a href={href(one.name)} aria-current={one === page ? 'page' : undefined}>
                  {one.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <button type="button" onClick={() => setKeyOpen(true)}>
          {session.value.key === undefined ? 'Key' : 'Key ✓'}
        </button>
      </header>
      <main id="main" tabIndex={-1}>
        {page === undefined ? <UnknownPage name={name} /> : <PageView page={page} />}
      </main>
      <Announcer />
      {isKeyOpen && (
        <Dialog title="Key" onClose={() => setKeyOpen(false)}>
          <KeyForm onDone={() => setKeyOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function PageView({ page }: { readonly page: Page }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${page.title} – Quarry console`;
    // The first page leaves the focus where the browser has it.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [page]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {page.title}
      </h1>
      {session.value.isRefused ? (
        <KeyRequired />
      ) : (
        <PageContent key={`${page.name} ${session.value.version}`} page={page} />
      )}
    </>
  );
}

/** The code of a page is loaded when it is first opened. */
function PageContent({ page }: { readonly page: Page }) {
  const { value, error } = useLoad<{ readonly view: ComponentType }>(async () => {
    const { Content } = await page.load();
    return { view: Content };
  }, [page]);
  if (error !== undefined) return <ErrorBox error={toRequestError(error)} />;
  if (value === undefined) return <Progress label={`Loading ${page.title}`} />;
  const Content = value.view;
  return <Content />;
}

function UnknownPage({ name }: { readonly name: string }) {
  return (
    <>
      <h1>No such page</h1>
      <p>
        The console has no page <code>{name}</code>. Choose one above.
      </p>
    </>
  );
}
