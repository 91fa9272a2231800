import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { csvLine, sendCsv } from './csv.ts';

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ' =1',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u3000＝1',
])('keeps a spreadsheet from running %j', (cell) => expect(csvLine([cell])).toMatch(/^"?'/));

it('leaves other texts and our own numbers as they are', () =>
  expect(csvLine(['a=1', 'www.example.com', -1, null, 'a,"b"', ' a'])).toBe(
    'a=1,www.example.com,-1,,"a,""b"""," a"\r\n',
  ));

it('answers what went wrong before the first rows by its status, and logs what breaks off later', async () => {
  const logged: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } } });
  async function* lines(good: number) {
    yield 'name\r\n';
    for (let at = 0; at < good; at += 1) yield `${at}\r\n`;
    throw new Error('the database has gone');
  }
  app.get<{ Params: { good: string } }>('/:good', async (req, reply) => {
    await sendCsv(reply, 'x.csv', lines(Number(req.params.good)));
    return reply;
  });
  expect((await app.inject('/0')).statusCode).toBe(500);
  logged.length = 0;
  await expect(app.inject('/2')).rejects.toThrow();
  expect(logged.join('')).toContain('a download broke off');
  await app.close();
});
