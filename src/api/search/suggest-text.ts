// Writes the suggestions of a search answer.
import type { SearchHit, SuggestAnswer, SuggestOption } from '../../backend/index.js';
import { quote } from '../../base/json-text.js';
import type { Pieces } from '../kit/pieces.js';
import { scoreText } from '../kit/score-text.js';

/** `writeHit` writes the members of a hit, since options of completions are hits. */
export function writeSuggest(
  out: Pieces,
  answer: SuggestAnswer,
  writeHit: (hit: SearchHit) => void,
): void {
  out.add(',"suggest":{');
  for (const [i, [name, entries]] of [...answer].entries()) {
    out.add(`${i > 0 ? ',' : ''}${quote(name)}:[`);
    for (const [j, { text, offset, length, options }] of entries.entries()) {
      out.add(`${j > 0 ? ',' : ''}{"text":${quote(text)},"offset":${offset},"length":${length}`);
      out.add(',"options":[');
      for (const [k, option] of options.entries())
        writeOption(k > 0 ? out.add(',') : out, option, writeHit);
      out.add(']}');
    }
    out.add(']');
  }
  out.add('}');
}

function writeOption(out: Pieces, option: SuggestOption, writeHit: (hit: SearchHit) => void): void {
  out.add(`{"text":${quote(option.text)},`);
  if ('hit' in option) {
    writeHit(option.hit);
    return;
  }
  if ('highlighted' in option) out.add(`"highlighted":${quote(option.highlighted)},`);
  out.add(`"score":${scoreText(option.score)}`);
  if ('freq' in option) out.add(`,"freq":${option.freq}`);
  out.add('}');
}
