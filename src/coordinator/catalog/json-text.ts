// Lossless reading and writing of the engine's JSON.
export { parseExact as parseJson, printExact as jsonText } from '../../base/exact-json.js';
