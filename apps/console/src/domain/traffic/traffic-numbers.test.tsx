// @vitest-environment happy-dom
import type { TrafficOverview } from '@cordon/contract';
import { cleanup, screen } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderWithWords } from '../../testing/render-with-words';
import { TrafficNumbers } from './traffic-numbers';

beforeAll(() => needCatalogs('traffic'));

type Point = Pick<TrafficOverview['series'][number], 'requests' | 'blocked' | 'status_5xx' | 'bytes'>;

/** Share of its chart's height that the last point of a number reaches. */
function heightsOf(last: Point): Record<'requests' | 'blocked' | 'errors', number> {
  const none: Point = { requests: 0, blocked: 0, status_5xx: 0, bytes: 0 };
  const series = [none, last].map((point, minute) => ({ ...point, time: `2026-11-20T10:0${minute}:00Z` }));
  const totals = { ...last, challenged: 0, passed: 0 };
  const overview = { range: '1h', to: '2026-11-20T10:02:00Z', bucket_seconds: 60, series, totals, previous: totals };
  renderWithWords(<TrafficNumbers overview={overview as never} since={undefined} hrefs={{}} />);
  const [requests, blocked, errors] = ['Requests · 1 h', 'Blocked · 1 h', 'Server errors · 1 h'].map((label) => {
    let card = screen.getByText(label).parentElement;
    while (card && !card.querySelector('path[stroke]')) card = card.parentElement;
    const path = card?.querySelector('path[stroke]')?.getAttribute('d') ?? '';
    return Number(((23 - Number(path.split(' ').at(-1))) / 22).toFixed(2));
  });
  cleanup();
  return { requests: requests ?? -1, blocked: blocked ?? -1, errors: errors ?? -1 };
}

it('draws what was blocked as the part of the requests that it is', () => {
  expect(heightsOf({ requests: 1000, blocked: 250, status_5xx: 0, bytes: 1 })).toMatchObject({
    requests: 1,
    blocked: 0.25,
  });
});

it('draws one error in a hundred low, and from one in ten on to the top', () => {
  expect(heightsOf({ requests: 1000, blocked: 0, status_5xx: 10, bytes: 1 }).errors).toBe(0.1);
  expect(heightsOf({ requests: 1000, blocked: 0, status_5xx: 100, bytes: 1 }).errors).toBe(1);
  expect(heightsOf({ requests: 1000, blocked: 0, status_5xx: 400, bytes: 1 }).errors).toBe(1);
});

it('draws a few requests low', () => {
  expect(heightsOf({ requests: 5, blocked: 1, status_5xx: 0, bytes: 1 })).toMatchObject({
    requests: 0.5,
    blocked: 0.1,
  });
});
