import ts from 'typescript';

/**
 * Places whose type is `any`, written or inferred. It takes from the emitter what it lives on: `.length` and indexes
 * go wrong without a word.
 */
export function findAny(program: ts.Program, files: readonly ts.SourceFile[]): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const file of files) {
    const visit = (node: ts.Node) => {
      if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
      const isValue = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node);
      if (isValue && checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any) {
        const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${file.fileName}:${line + 1}:${character + 1} ${node.getText()} is any`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}
