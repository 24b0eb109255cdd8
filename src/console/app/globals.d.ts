// What the bundler provides: style sheets as side effects, and the address of the worker's file.
declare module '*.css';
declare const BRAIN_LAYOUT_WORKER: string;
