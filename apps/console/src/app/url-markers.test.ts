import { expect, test } from 'vitest';
import { readUrlMarker } from './url-markers';

test.each([
  ['?error=login_required', ''],
  ['?a=1&error=x', '#/domain/list'],
  ['', '#/domain/list?error=access_denied'],
  ['', '#/domain/list&error=access_denied'],
  ['', '#error=access_denied'],
  ['?state=a', '#/x?error=b'],
])('an error marker in %s %s leads to the origin', (search, hash) => {
  expect(readUrlMarker(search, hash)).toEqual({ kind: 'error' });
});

test.each([
  ['', '#/domain/list?state=abc&session_state=d', '#/domain/list'],
  ['', '#/domain/list&state=abc', '#/domain/list'],
  ['', '#state=abc', ''],
  ['?state=abc', '#/domain/list?page=2', '#/domain/list?page=2'],
])('a state marker in %s %s cuts the path there', (search, hash, left) => {
  expect(readUrlMarker(search, hash)).toEqual({ kind: 'state', hash: left });
});

test.each([
  ['', '#/domain/list?page=2&q=state'],
  ['?lang=zh', '#/domain/list?session_state=1&errors=2'],
  ['', ''],
])('words that only resemble a marker are left alone: %s %s', (search, hash) => {
  expect(readUrlMarker(search, hash)).toBeNull();
});
