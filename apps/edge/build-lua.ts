import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import * as tstl from 'typescript-to-lua';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const entry = join(root, 'apps/edge/src/runner/main.ts');
const ambient = join(root, 'apps/edge/src/runner/nginx.d.ts');

/** Lua module of the runner, as nginx.conf requires it. */
export const RUNNER_MODULE = 'apps.edge.src.runner.main';

const compilerOptions: tstl.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  rewriteRelativeImportExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: false,
  rootDir: root,
  types: ['lua-types/jit', '@typescript-to-lua/language-extensions'],
  luaTarget: tstl.LuaTarget.LuaJIT,
  luaLibImport: tstl.LuaLibImportKind.Require,
  noImplicitGlobalVariables: true,
  noHeader: true,
};

function describe(diagnostics: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  });
}

/** Files that become Lua: what the entry imports for its values. Types (zod's among them) are only read. */
function reachedFiles(program: ts.Program, entries: readonly string[]): ts.SourceFile[] {
  const reached = new Map<string, ts.SourceFile>();
  const visit = (name: string) => {
    const file = program.getSourceFile(name);
    if (!file || file.isDeclarationFile || reached.has(file.fileName)) return;
    reached.set(file.fileName, file);
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const isTypeOnly = ts.isImportDeclaration(statement)
        ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : statement.isTypeOnly;
      if (isTypeOnly || !statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const { resolvedModule } = ts.resolveModuleName(
        statement.moduleSpecifier.text,
        file.fileName,
        program.getCompilerOptions(),
        ts.sys,
      );
      if (resolvedModule) visit(resolvedModule.resolvedFileName);
    }
  };
  for (const name of entries) visit(name);
  return [...reached.values()];
}

/** `any` switches off the knowledge that the emitter lives on: `.length` and indexing silently go wrong. */
function findAny(program: ts.Program, files: readonly ts.SourceFile[]): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const visit = (node: ts.Node) => {
      if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
      if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
        const type = checker.getTypeAtLocation(node);
        if (type.flags & ts.TypeFlags.Any) {
          const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
          found.push(`${relative(root, file.fileName)}:${line + 1}:${character + 1} ${node.getText()} is any`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

/** Emits `entries` and all they import below `outDir`, in the folders of the repository. Throws on any fault. */
export function emitLua(entries: readonly string[], outDir: string): string[] {
  const options: tstl.CompilerOptions = { ...compilerOptions, outDir };
  const program = ts.createProgram([ambient, ...entries], options as ts.CompilerOptions);
  const files = reachedFiles(program, entries);
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  if (faults.length > 0) throw new Error(`The edge does not compile.\n${describe(faults)}`);
  const any = findAny(program, files);
  if (any.length > 0) throw new Error(`The edge knows no any.\n${any.join('\n')}`);

  const { diagnostics } = new tstl.Transpiler().emit({
    program,
    sourceFiles: files,
    writeFile: (name, text) => {
      mkdirSync(dirname(name), { recursive: true });
      writeFileSync(name, text);
    },
  });
  const errors = diagnostics.filter(({ category }) => category === ts.DiagnosticCategory.Error);
  if (errors.length > 0) throw new Error(`The edge cannot be emitted as Lua.\n${describe(errors)}`);
  return files.map((file) => file.fileName);
}

interface Stamp {
  readonly files: readonly string[];
  readonly hash: string;
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of files)
    hash
      .update(name)
      .update('\0')
      .update(existsSync(name) ? readFileSync(name) : '');
  return hash.digest('hex');
}

/** Emits the runner into `outDir`, unless what is there was made of the same sources. */
export async function buildLua(outDir: string): Promise<void> {
  const stampFile = join(outDir, '.stamp.json');
  if (existsSync(stampFile)) {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp;
    if (stamp.hash === hashFiles(stamp.files)) return;
  }
  rmSync(outDir, { recursive: true, force: true });
  const files = [...emitLua([entry], outDir), ambient, fileURLToPath(import.meta.url)];
  writeFileSync(stampFile, JSON.stringify({ files, hash: hashFiles(files) } satisfies Stamp));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildLua(resolve(process.argv[2] ?? join(root, 'dist/edge/lua')));
}
