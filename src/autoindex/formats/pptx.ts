// PPTX: a document for each slide with text, with its title and the speaker notes.
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';
import { type Archive, openArchive } from './archive.js';
import { officeOf, propertiesOf, relationId, relationsOf, targetOf } from './office.js';
import { MAX_PROSE_CHARACTERS, tidy, titleFromPath } from './prose.js';
import { attributeOf, eachElement } from './xml-parts.js';

const MAX_SLIDES = 10_000;
/** Default titles that programs give to every presentation. */
const NO_TITLE = /^power ?point|^presentation\d*$|^slide \d+$/i;

export async function* readPptx(source: ByteSource): AsyncIterable<FileRecord> {
  const archive = await openArchive(source);
  const { main } = await officeOf(archive);
  const slides = await slidesOf(archive, main);
  const properties = await propertiesOf(archive);
  let { title = '' } = properties;
  if (NO_TITLE.test(title)) title = '';
  let characters = 0;
  for (const [i, part] of slides.entries()) {
    const { heading, body } = await textOf(archive, part);
    if (title === '') title = heading === '' ? titleFromPath(source.path) : heading;
    const notes = await notesOf(archive, part);
    characters += heading.length + body.length + notes.length;
    if (characters > MAX_PROSE_CHARACTERS)
      throw new BrokenFile(`more than ${MAX_PROSE_CHARACTERS} characters`);
    if (heading === '' && body === '' && notes === '') continue;
    yield {
      at: String(i + 1),
      doc: {
        ...properties,
        title,
        slide: i + 1,
        slides: slides.length,
        ...(heading === '' ? {} : { heading }),
        body,
        ...(notes === '' ? {} : { notes }),
      },
    };
  }
}

/** The parts of the slides, in presentation order. */
async function slidesOf(archive: Archive, main: string): Promise<readonly string[]> {
  const relations = await relationsOf(archive, main);
  const slides: string[] = [];
  await eachElement(archive, main, {
    open(name, attributes) {
      if (name !== 'sldId') return;
      const target = relations.get(relationId(attributes))?.target;
      if (target !== undefined) slides.push(target);
      if (slides.length > MAX_SLIDES) throw new BrokenFile(`more than ${MAX_SLIDES} slides`);
    },
  });
  return slides;
}

async function notesOf(archive: Archive, slide: string): Promise<string> {
  const notes = targetOf(await relationsOf(archive, slide), 'notesSlide');
  return notes === '' ? '' : (await textOf(archive, notes)).body;
}

interface SlideText {
  readonly heading: string;
  readonly body: string;
}

/**
 * Placeholders that do not belong to the content of a slide: number, date, footer, header, image.
 */
const FURNITURE: ReadonlySet<string> = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

async function textOf(archive: Archive, part: string): Promise<SlideText> {
  const heading: string[] = [];
  const body: string[] = [];
  let characters = 0;
  let kind = '';
  let inText = false;
  await eachElement(archive, part, {
    open(name, attributes) {
      if (name === 'sp') kind = '';
      else if (name === 'ph') kind = attributeOf(attributes, 'type') ?? '';
      else if (name === 't') inText = true;
      else if (name === 'br') (isTitle(kind) ? heading : body).push('\n');
    },
    text(text) {
      if (!inText || FURNITURE.has(kind)) return;
      characters += text.length;
      if (characters > MAX_PROSE_CHARACTERS)
        throw new BrokenFile(`more than ${MAX_PROSE_CHARACTERS} characters`);
      (isTitle(kind) ? heading : body).push(text);
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'p') (isTitle(kind) ? heading : body).push('\n');
      else if (name === 'sp') kind = '';
    },
  });
  return { heading: heading.join('').replace(/\s+/g, ' ').trim(), body: tidy(body.join('')) };
}

function isTitle(kind: string): boolean {
  return kind === 'title' || kind === 'ctrTitle';
}
