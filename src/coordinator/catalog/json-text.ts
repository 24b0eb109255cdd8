// JSON of the engine, read and written without loss.
export { parseExact as parseJson, printExact as jsonText } from '../../base/exact-json.js';
