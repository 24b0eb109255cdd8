// DOCX: the text of a document with its footnotes, with headings in Markdown syntax and the cells
// of a table row in one line.
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';
import { type Archive, openArchive } from './archive.js';
import { officeOf, propertiesOf, relationsOf, targetOf } from './office.js';
import { MAX_PROSE_CHARACTERS, partsOf, tidy, titleFromPath } from './prose.js';
import { attributeOf, eachElement, type XmlHandler } from './xml-parts.js';

const MAX_STYLES = 10_000;

export async function* readDocx(source: ByteSource): AsyncIterable<FileRecord> {
  const archive = await openArchive(source);
  const { main } = await officeOf(archive);
  const relations = await relationsOf(archive, main);
  const styles = await stylesOf(archive, targetOf(relations, 'styles'));
  const text = new DocumentText(styles);
  await eachElement(archive, main, text);
  for (const kind of ['footnotes', 'endnotes']) {
    await eachElement(archive, targetOf(relations, kind), text);
  }
  const properties = await propertiesOf(archive);
  const title = properties['title'] ?? (text.title || titleFromPath(source.path));
  yield* partsOf(tidy(text.pieces.join('')), { ...properties, title });
}

/** The rank of the paragraphs of a style: a heading level, or the title. */
type Rank = number | 'title';

/** Ranks by the id of the style. Localized programs translate the id, but not the name. */
async function stylesOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Rank>> {
  const styles = new Map<string, Rank>();
  let id = '';
  await eachElement(archive, part, {
    open(name, attributes) {
      if (name === 'style') id = attributeOf(attributes, 'styleId') ?? '';
      if (name !== 'name' || styles.size >= MAX_STYLES) return;
      const rank = rankOf(attributeOf(attributes, 'val') ?? '');
      if (rank !== undefined) styles.set(id, rank);
    },
  });
  return styles;
}

function rankOf(name: string): Rank | undefined {
  if (/^title$/i.test(name)) return 'title';
  const level = /^heading ?([1-6])$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}

/** Collects the text during parsing. */
class DocumentText implements XmlHandler {
  readonly pieces: string[] = [];
  /** The first paragraph that is a heading or title. */
  title = '';
  readonly #styles: ReadonlyMap<string, Rank>;
  #characters = 0;
  #inText = false;
  /**
   * Depth of Fallback elements, which repeat text for readers that do not support its first form.
   */
  #fallbacks = 0;
  #paragraph = '';
  #rank: Rank | undefined;
  /** Number of open rows: a table may be nested in a cell of another one. */
  #rows = 0;
  /** The cells of the outermost open row. */
  #row: string[] = [];

  constructor(styles: ReadonlyMap<string, Rank>) {
    this.#styles = styles;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'Fallback':
        this.#fallbacks += 1;
        break;
      case 't':
        this.#inText = this.#fallbacks === 0;
        break;
      case 'tab':
        // Among the properties of a paragraph it is a tab stop and not a character; trimming
        // removes it.
        this.#paragraph += '\t';
        break;
      case 'br':
      case 'cr':
        this.#paragraph += '\n';
        break;
      case 'tr':
        this.#rows += 1;
        break;
      case 'tc':
        this.#row.push('');
        break;
      case 'pStyle': {
        const style = attributeOf(attributes, 'val') ?? '';
        this.#rank = this.#styles.get(style) ?? rankOf(style);
        break;
      }
    }
  }

  text(text: string): void {
    if (!this.#inText) return;
    this.#characters += text.length;
    if (this.#characters > MAX_PROSE_CHARACTERS) {
      throw new BrokenFile(`more than ${MAX_PROSE_CHARACTERS} characters`);
    }
    this.#paragraph += text;
  }

  close(name: string): void {
    if (name === 'Fallback') this.#fallbacks -= 1;
    else if (name === 't') this.#inText = false;
    else if (name === 'p') this.#endParagraph();
    else if (name === 'tr') this.#endRow();
  }

  #endRow(): void {
    this.#rows -= 1;
    if (this.#rows > 0) return;
    this.pieces.push(this.#row.join(' | '), '\n');
    this.#row = [];
  }

  #endParagraph(): void {
    const text = this.#paragraph.trim();
    const rank = this.#rank;
    this.#paragraph = '';
    this.#rank = undefined;
    if (text === '') return;
    if (rank !== undefined && this.title === '') this.title = text;
    const cell = this.#row.length - 1;
    if (cell >= 0) {
      this.#row[cell] = `${this.#row[cell]} ${text}`.trim();
      return;
    }
    const mark = rank === undefined ? '' : `${'#'.repeat(rank === 'title' ? 1 : rank)} `;
    this.pieces.push(mark, text, '\n');
  }
}
