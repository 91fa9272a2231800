import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { openTabs } from './browser.ts';

/** What was on the screen when a test failed: a picture of each tab, its address and its complaints. */
const picturesDir = join(resolve(fileURLToPath(import.meta.url), '../../..'), 'test-results/pictures');
const TABS_MAX = 4;
const PICTURE_MS_MAX = 5_000;

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  mkdirSync(picturesDir, { recursive: true });
  const name = task.name.replaceAll(/\W+/g, '-').slice(0, 80);
  for (const [index, { page, complaints }] of openTabs().slice(0, TABS_MAX).entries()) {
    const path = join(picturesDir, `${name}-${index + 1}.png`);
    const picture = await page.screenshot({ path, timeout: PICTURE_MS_MAX }).then(
      () => path,
      (error: Error) => `no picture: ${error.message}`,
    );
    console.info(`“${task.name}” failed at ${page.url()}, ${picture}`, complaints);
  }
});
