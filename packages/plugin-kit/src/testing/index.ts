export { runUnderLuaJit, luaModuleName, toLuaLiteral, runCasesUnderLuaJit } from './luajit.ts';
export { runCase, toPlainCase } from './run-case.ts';
export { testPluginCases } from './test-plugin-cases.ts';
