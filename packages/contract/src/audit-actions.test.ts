import { expect, it } from 'vitest';
import { AUDIT_FIELDS } from './audit-actions.ts';
import { routeConfig, upstreams } from './entities/routes.ts';

it('knows every setting of a configuration that a change can name', () => {
  const own = Object.keys(routeConfig.shape).filter((key) => key !== 'upstreams' && key !== 'plugins');
  const settings = [...own, ...Object.keys(upstreams.shape).map((key) => `upstreams.${key}`)];
  expect(settings.filter((path) => !(AUDIT_FIELDS as readonly string[]).includes(path))).toEqual([]);
});
