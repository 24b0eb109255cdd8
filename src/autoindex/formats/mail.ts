// E-mail: a document for each message; attachments are named and not read. An mbox contains several
// messages.
import PostalMime, { type Address } from 'postal-mime';
import {
  BrokenFile,
  type ByteSource,
  type FileRecord,
  linesOf,
  MAX_RECORD_BYTES,
  wholeOf,
} from '../source.js';
import { htmlText } from './prose.js';

const MAX_EMAIL_BYTES = 32 << 20;

export async function* readEmail(source: ByteSource): AsyncIterable<FileRecord> {
  yield { at: '1', doc: await messageOf(await wholeOf(source, MAX_EMAIL_BYTES)) };
}

/** The first line of a message in an mbox. */
const FROM_LINE = /^From \S.*\d{4}/;

export async function* readMbox(source: ByteSource): AsyncIterable<FileRecord> {
  let lines: string[] = [];
  let characters = 0;
  let count = 0;
  // Latin-1 preserves the bytes; each message declares its own encoding.
  for await (const line of linesOf(source, 'latin1')) {
    if (FROM_LINE.test(line) && lines.length > 0) {
      count += 1;
      yield { at: String(count), doc: await messageOf(latin(lines)) };
      lines = [];
      characters = 0;
    }
    if (!FROM_LINE.test(line)) lines.push(line.replace(/^>(>*From )/, '$1'));
    characters += line.length;
    if (characters > 2 * MAX_RECORD_BYTES) throw new BrokenFile('a message of more than 32 MiB');
  }
  if (lines.length > 0) yield { at: String(count + 1), doc: await messageOf(latin(lines)) };
}

function latin(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

async function messageOf(bytes: Uint8Array): Promise<Record<string, unknown>> {
  let mail: Awaited<ReturnType<typeof PostalMime.parse>>;
  try {
    mail = await PostalMime.parse(bytes, { maxNestingDepth: 32 });
  } catch (error) {
    throw new BrokenFile(`no e-mail: ${(error as Error).message}`);
  }
  const date = mail.date === undefined ? Number.NaN : Date.parse(mail.date);
  const names = mail.attachments.map(({ filename }) => filename).filter((name) => name !== null);
  const body = mail.text ?? (mail.html === undefined ? '' : htmlText(mail.html).text);
  return {
    title: mail.subject ?? '(no subject)',
    ...(mail.from === undefined ? {} : { from: addresses([mail.from])[0] }),
    to: addresses(mail.to ?? []),
    ...(mail.cc === undefined ? {} : { cc: addresses(mail.cc) }),
    ...(Number.isNaN(date) ? {} : { date: new Date(date).toISOString() }),
    ...(mail.messageId === undefined ? {} : { message_id: mail.messageId }),
    ...(mail.inReplyTo === undefined ? {} : { reply_to: mail.inReplyTo }),
    ...(names.length === 0 ? {} : { attachments: names }),
    body: body.trim(),
  };
}

function addresses(list: readonly Address[]): readonly string[] {
  return list.flatMap((one) => {
    if (one.group !== undefined) return addresses(one.group);
    return one.address === undefined || one.address === '' ? [one.name] : [one.address];
  });
}
