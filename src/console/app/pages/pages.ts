// All pages of the console, in the order of the navigation. A page is a module with a component
// `Content`, which is loaded when the page is first opened.
import type { ComponentType } from 'preact';

export interface Page {
  /** In the address: `#/name`. */
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly Content: ComponentType }>;
}

export const PAGES: readonly Page[] = [
  { name: 'home', title: 'Home', load: () => import('./home/page.js') },
  { name: 'search', title: 'Search', load: () => import('./search/page.js') },
  { name: 'indexes', title: 'Indexes', load: () => import('./indexes/page.js') },
  { name: 'memory', title: 'Memory', load: () => import('./memory/page.js') },
  { name: 'brain', title: 'Brain', load: () => import('./brain/page.js') },
  { name: 'files', title: 'Your files', load: () => import('./files/page.js') },
  { name: 'operations', title: 'Operations', load: () => import('./operations/page.js') },
];
