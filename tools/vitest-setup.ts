import { afterEach } from 'vitest';

// Testing Library unmounts by itself only where `afterEach` is a global, which it is not here.
if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react');
  afterEach(cleanup);
}
