import { Parser } from 'saxen';
import { FileProblem } from './sheet';

/** Events of a document's elements; names without their prefix. */
export interface XmlReader {
  open?(name: string, attribute: (name: string) => string | undefined): void;
  close?(name: string): void;
  text?(text: string): void;
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

/** Reads a part of a workbook. Throws FileProblem for what is no XML. */
export function readXml(bytes: Uint8Array, reader: XmlReader): void {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  let problem: unknown;
  /** The parser goes on after a handler's exception; nothing is read any more. */
  const guarded =
    <Arguments extends unknown[]>(handler: (...args: Arguments) => void) =>
    (...args: Arguments) => {
      if (problem === undefined) handler(...args);
    };
  const parser = new Parser()
    .on(
      'openTag',
      guarded((name, attributes, decode) =>
        reader.open?.(local(name), (wanted) => {
          const found = Object.entries(attributes()).find(([key]) => key === wanted || local(key) === wanted);
          return found === undefined ? undefined : decode(found[1]);
        }),
      ),
    )
    .on(
      'closeTag',
      guarded((name) => reader.close?.(local(name))),
    )
    .on(
      'text',
      guarded((text, decode) => reader.text?.(decode(text))),
    )
    .on(
      'cdata',
      guarded((text) => reader.text?.(text)),
    )
    .on('error', (error) => {
      problem ??= error;
    })
    .on('warn', () => {});
  parser.parse(new TextDecoder(encoding).decode(bytes));
  if (problem !== undefined) throw problem instanceof FileProblem ? problem : new FileProblem('DAMAGED');
}
