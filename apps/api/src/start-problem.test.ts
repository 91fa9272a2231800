import { describe, expect, it } from 'vitest';
import { BrandsFileError } from './modules/brands/service.ts';
import { startProblem } from './start-problem.ts';

describe('what keeps the API from starting', () => {
  it('is reported in one sentence when the operator can fix it', () => {
    expect(startProblem(new BrandsFileError('CORDON_BRANDS: cannot read it'))).toBe('CORDON_BRANDS: cannot read it');
    const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    expect(startProblem(away)).toBe('The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1.');
    const foreign = Object.assign(new Error('password authentication failed for user "a"'), { code: '28P01' });
    expect(startProblem(foreign)).toMatch(/DATABASE_URL.*password authentication failed/);
    const taken = Object.assign(new Error('listen EADDRINUSE: address already in use 127.0.0.1:80'), {
      code: 'EADDRINUSE',
      syscall: 'listen',
    });
    expect(startProblem(taken)).toMatch(/CORDON_PORT.*EADDRINUSE/);
  });
  it('keeps its stack where it is our own fault', () => {
    expect(startProblem(new TypeError('undefined is not a function'))).toBeUndefined();
    expect(startProblem(Object.assign(new Error('syntax error'), { code: '42601' }))).toBeUndefined();
  });
});
