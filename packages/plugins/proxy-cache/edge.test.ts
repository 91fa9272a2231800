import { testPluginCases } from '@cordon/plugin-kit/testing';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });
