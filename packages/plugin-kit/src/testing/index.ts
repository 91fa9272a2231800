export { answerAfter } from './answer-after.ts';
export { type CaseOutcome, inShapeOf } from './case-outcome.ts';
export { luaModuleName, runCasesUnderLuaJit, runUnderLuaJit, toLuaLiteral } from './luajit.ts';
export { pathAt, runCase, toPlainCase } from './run-case.ts';
export { testPluginCases } from './test-plugin-cases.ts';
export { tryAttacks } from './try-attacks.ts';
