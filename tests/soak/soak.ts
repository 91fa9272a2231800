import { parseArgs } from 'node:util';
import { Soak } from './run.ts';

/**
 * `npm run test:soak -- --minutes N [--seed S]`: a whole instance under traffic, edits and deploys, of which parts are
 * killed and stopped at random, alone and in pairs. In the end nothing acknowledged is lost, every request is in the log
 * once, every part is up, and nothing is left over. The last line is `soak passed` or `soak failed`.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Use --minutes N, a number above 0, and --seed S, a whole number.');
  process.exit(2);
}

const soak = new Soak({ minutes, seed });
const failures = await soak.run();
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(failures.length === 0 ? 'soak passed' : 'soak failed');
process.exit(failures.length === 0 ? 0 : 1);
