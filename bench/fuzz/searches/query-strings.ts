// Random texts in the syntax of query_string and simple_query_string, now and then with an error.
import type { Choice } from '../choice.ts';
import { keyword, word, words } from './documents.ts';

const PIECES = [
  { share: 35, make: (choice: Choice) => word(choice) },
  { share: 7, make: phrase },
  { share: 6, make: (choice: Choice) => `${word(choice).slice(0, 3)}*` },
  { share: 4, make: (choice: Choice) => `${word(choice)}~${choice.pick(['', 0, 1, 2])}` },
  { share: 5, make: (choice: Choice) => `${textField(choice)}:${word(choice)}` },
  { share: 3, make: (choice: Choice) => `k:"${keyword(choice)}"` },
  { share: 4, make: (choice: Choice) => `n:[${choice.below(20)} TO ${20 + choice.below(50)}]` },
  { share: 3, make: (choice: Choice) => `i:>${choice.below(30)}` },
  {
    share: 3,
    make: (choice: Choice) => `_exists_:${choice.pick(['k', 'd', 'o', 'nope', 'fl.a'])}`,
  },
  { share: 4, make: group },
  { share: 4, make: (choice: Choice) => `-${piece(choice)}` },
  { share: 4, make: (choice: Choice) => `+${piece(choice)}` },
  { share: 3, make: (choice: Choice) => `NOT ${piece(choice)}` },
  { share: 2, make: (choice: Choice) => `/${word(choice).slice(0, 2)}[a-z]+/` },
  { share: 2, make: (choice: Choice) => `${word(choice).slice(0, 1)}?${word(choice).slice(2)}` },
  { share: 2, make: (choice: Choice) => `d:[2021-05-01 TO ${choice.pick(['2022-01-01', '*'])}}` },
  { share: 2, make: (choice: Choice) => `t.\\*:${word(choice)}` },
  { share: 2, make: (choice: Choice) => `${word(choice)}^${choice.pick([0.5, 2, 3])}` },
  {
    share: 2,
    make: (choice: Choice) => choice.pick(['AND', 'OR', '!', '(', ')', '"', ':', '[1 TO']),
  },
  { share: 3, make: (choice: Choice) => `${word(choice).slice(0, 2)}*${word(choice).slice(-1)}` },
];

export function queryString(choice: Choice): string {
  return choice.several(1, 4, () => piece(choice)).join(choice.pick([' ', ' ', ' AND ', ' OR ']));
}

function piece(choice: Choice): string {
  let left = choice.below(100);
  for (const { share, make } of PIECES) {
    left -= share;
    if (left < 0) return make(choice);
  }
  return word(choice);
}

function phrase(choice: Choice): string {
  return `"${words(choice, 2, 2)}"${choice.chance(0.3) ? `~${choice.below(4)}` : ''}`;
}

function group(choice: Choice): string {
  const operator = choice.pick(['AND', 'OR', '', '&&', '||']);
  return `(${piece(choice)} ${operator} ${piece(choice)})${choice.chance(0.3) ? '^2' : ''}`;
}

function textField(choice: Choice): string {
  return choice.pick(['t', 't.e', 's']);
}

export function simpleQueryString(choice: Choice): string {
  return choice.several(1, 5, () => simplePiece(choice)).join(' ');
}

function simplePiece(choice: Choice): string {
  const one = word(choice);
  return choice.pick([
    () => one,
    () => one,
    () => one,
    () => phrase(choice),
    () => `${one.slice(0, 3)}*`,
    () => `${one}~${choice.pick(['', 1, 2])}`,
    () => `-${one}`,
    () => `+${one}`,
    () => `(${one} | ${word(choice)})`,
    () => choice.pick(['+', '|', '-', '"', '(', ')', '~', '*']),
  ])();
}
