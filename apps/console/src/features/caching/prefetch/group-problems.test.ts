import type { PrefetchProblem } from '@cordon/contract';
import { expect, it } from 'vitest';
import { groupProblems } from './group-problems';

const problem = (url: string, more: Partial<PrefetchProblem> = {}): PrefetchProblem => ({
  ...{ node: 'fra', url, device: null, language: null, status: 200, reason: 'no_store' },
  ...more,
});
const cause = (more: object = {}) => ({
  ...{ status: 200, reason: 'no_store', hosts: [], devices: [], languages: [], nodes: ['fra'] },
  ...more,
});

it('shows a path once, for all hosts, schemes, devices, languages and nodes that met the same', () => {
  const devices = ['mobile', 'desktop'] as const;
  const problems = devices.flatMap((device) =>
    ['https://a.example/x?y', 'http://a.example/x?y', 'http://b.example/x?y'].flatMap((url) =>
      ['fra', 'hkg'].map((node) => problem(url, { node, device, language: 'en' })),
    ),
  );
  expect(groupProblems(problems)).toEqual([
    {
      url: '/x?y',
      causes: [
        cause({
          hosts: ['a.example', 'http://b.example'],
          devices: ['mobile', 'desktop'],
          languages: ['en'],
          nodes: ['fra', 'hkg'],
        }),
      ],
    },
  ]);
});

it('parts what became of a path for different reasons, in the order in which it was met', () => {
  const problems = [
    problem('https://a.example/x'),
    problem('https://a.example/y'),
    problem('http://a.example/x', { status: 503, reason: '' }),
  ];
  expect(groupProblems(problems)).toEqual([
    {
      url: '/x',
      causes: [
        cause({ hosts: ['https://a.example'] }),
        cause({ status: 503, reason: '', hosts: ['http://a.example'] }),
      ],
    },
    { url: 'https://a.example/y', causes: [cause()] },
  ]);
});
