// Starts the console in the page that `bundle.ts` writes.
import { render } from 'preact';
// All style sheets are imported here, so that they are one file that the page loads.
import 'uplot/dist/uPlot.min.css';
import { App } from './shell/app.js';
import './style/base.css';
import './style/brain.css';
import './style/components.css';
import './style/search.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
