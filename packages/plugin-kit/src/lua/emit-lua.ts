import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import * as tstl from 'typescript-to-lua';
import { findAny } from './find-any.ts';

const repositoryDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');

export interface EmitLuaOptions {
  /** Absolute paths of the modules to start from; what they import at run time is emitted too. */
  readonly entries: readonly string[];
  /** Absolute path. A module becomes `<outDir>/<its path below rootDir>.lua`, required with dots for slashes. */
  readonly outDir: string;
  /** Absolute path above all modules; the repository unless given. */
  readonly rootDir?: string;
  /** Type packages, such as `lua-types/jit`, and absolute paths of declaration files that the modules need. */
  readonly types?: readonly string[];
  readonly declarations?: readonly string[];
}

function compilerOptions(options: EmitLuaOptions): tstl.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noUncheckedIndexedAccess: true,
    rewriteRelativeImportExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: [...(options.types ?? [])],
    rootDir: options.rootDir ?? repositoryDir,
    outDir: options.outDir,
    luaTarget: tstl.LuaTarget.LuaJIT,
    luaLibImport: tstl.LuaLibImportKind.Require,
    noImplicitGlobalVariables: true,
    noHeader: true,
  };
}

/** Whether nothing of the import is left at run time. */
function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const { importClause } = statement;
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = importClause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

/**
 * The modules that exist at run time. Without this, a handler's `import type` of its schema would drag the schema,
 * and zod with it, into nginx.
 */
function runtimeModules(program: ts.Program, options: EmitLuaOptions): ts.SourceFile[] {
  const found = new Set<ts.SourceFile>();
  const visit = (file: ts.SourceFile | undefined) => {
    if (!file || file.isDeclarationFile || found.has(file)) return;
    found.add(file);
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier) || isTypeOnly(statement))
        continue;
      const target = resolveModule(statement.moduleSpecifier.text, file.fileName, program.getCompilerOptions());
      visit(target === undefined ? undefined : program.getSourceFile(target));
    }
  };
  for (const entry of options.entries) visit(program.getSourceFile(entry));
  return [...found];
}

function resolveModule(name: string, from: string, options: ts.CompilerOptions): string | undefined {
  return ts.resolveModuleName(name, from, options, ts.sys).resolvedModule?.resolvedFileName;
}

/** Workspace packages are found through node_modules, whose files typescript-to-lua would not emit. */
function workspaceHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const resolved = ts.resolveModuleName(text, from, options, host);
      if (!resolved.resolvedModule || !text.startsWith('@cordon/')) return resolved;
      return { ...resolved, resolvedModule: { ...resolved.resolvedModule, isExternalLibraryImport: false } };
    });
  return host;
}

/** Finds workspace packages by TypeScript's own resolution; typescript-to-lua's looks for .lua files only. */
const workspacePackages: tstl.Plugin = {
  moduleResolution: (name, from, options) =>
    name.startsWith('@cordon/') ? resolveModule(name, from, options) : undefined,
};

/**
 * What is returned of a call, in parentheses: no tail call. JavaScript knows none either, no function of ours has more than one value,
 * and LuaJIT ends the recording of a trace at the 16th of them (`loopunroll`): small functions that return another's value would use them up.
 */
function endTailCalls(node: unknown): void {
  if (Array.isArray(node)) for (const one of node) endTailCalls(one);
  if (typeof node !== 'object' || node === null || !('kind' in node)) return;
  const lua = node as tstl.Node;
  if (tstl.isReturnStatement(lua)) {
    const [value, ...more] = lua.expressions;
    if (value && more.length === 0 && (tstl.isCallExpression(value) || tstl.isMethodCallExpression(value)))
      lua.expressions = [tstl.createParenthesizedExpression(value)];
  }
  for (const part of Object.values(node)) if (typeof part === 'object') endTailCalls(part);
}

const withoutTailCalls: tstl.Plugin = {
  visitors: {
    [ts.SyntaxKind.SourceFile]: (node, context) => {
      const files = context.superTransformNode(node);
      endTailCalls(files);
      return files[0] as tstl.File;
    },
  },
};

function describe(diagnostics: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => repositoryDir,
    getNewLine: () => '\n',
  });
}

/**
 * Checks the modules' types and emits them as Lua for LuaJIT. Returns the paths of the modules that it emitted. Throws
 * an Error that lists every fault, `any` among them. Takes about two seconds.
 */
export function emitLua(options: EmitLuaOptions): string[] {
  const compiler = compilerOptions(options);
  const roots = [...options.entries, ...(options.declarations ?? [])];
  const program = ts.createProgram(roots, compiler, workspaceHost(compiler));
  const sourceFiles = runtimeModules(program, options);
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...sourceFiles.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
  if (faults.length > 0) throw new Error(`The types do not fit.\n${describe(faults)}`);
  const any = findAny(program, sourceFiles);
  if (any.length > 0) throw new Error(`Lua cannot be emitted for any.\n${any.join('\n')}`);
  const { diagnostics } = new tstl.Transpiler().emit({
    program,
    sourceFiles,
    plugins: [workspacePackages, withoutTailCalls],
  });
  const errors = diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error);
  if (errors.length > 0) throw new Error(`This cannot be emitted as Lua.\n${describe(errors)}`);
  return sourceFiles.map((file) => file.fileName);
}
