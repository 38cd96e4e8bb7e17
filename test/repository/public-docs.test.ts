import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { describe, expect, it } from 'vitest'

// The site and editors show the doc comments of the public API's declarations.

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

/** The entry points of the API, each of which needs an example. */
const ENTRY_POINTS = [
  'call',
  'computerTool',
  'createAnthropicToolset',
  'createDriver',
  'createEnvironment',
  'createOpenAiComputer',
  'createOpenAiDriver',
  'createPainter',
  'createRestApp',
  'createTestbed',
  'loadConfig',
  'loadScenario',
  'matchers',
  'openDesktop',
  'parseScenario',
  'parseSelector',
  'querySelectorAll',
  'render',
  'runComputerCall',
  'startScenario',
  'validateScenario',
  'verifyScenario',
  'virtualClock',
]

interface Exported {
  readonly name: string
  readonly file: string
  readonly declarations: readonly ts.Node[]
}

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true)

/** The exports of a source with their declarations, including re-exports. */
function exportsOf(file: string): readonly Exported[] {
  return parse(file).statements.flatMap((statement): readonly Exported[] => {
    if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier, exportClause } = statement
      const from = join(dirname(file), (moduleSpecifier as ts.StringLiteral).text)
      if (!exportClause) return exportsOf(from)
      const names = (exportClause as ts.NamedExports).elements.map(({ name }) => name.text)
      return exportsOf(from).filter(({ name }) => names.includes(name))
    }
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    const declared: readonly { readonly name?: ts.Node | undefined }[] = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.DeclarationStatement]
    return declared.map((one) => ({
      name: one.name?.getText() ?? '',
      file: relative(SRC, file),
      declarations: [one as ts.Node],
    }))
  })
}

/** The function of a declaration or of its value. */
function functionOf(node: ts.Node): ts.SignatureDeclaration | undefined {
  if (ts.isFunctionDeclaration(node)) return node
  if (!ts.isVariableDeclaration(node)) return undefined
  if (node.type && ts.isFunctionTypeNode(node.type)) return node.type
  return node.initializer && ts.isArrowFunction(node.initializer) ? node.initializer : undefined
}

const hasDoc = (node: ts.Node): boolean =>
  ts.getJSDocCommentsAndTags(node).some((part) => ts.isJSDoc(part) && part.comment)

const tagsOf = (node: ts.Node, kind: string): readonly string[] =>
  ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === kind)
    .map((tag) => (ts.isJSDocParameterTag(tag) ? tag.name.getText() : ''))

describe('the public API', () => {
  const all = ['index.ts', 'testing.ts'].flatMap((entry) => exportsOf(join(SRC, entry)))
  const at = ({ file, name }: Exported) => `${file}: ${name}`
  const every = (wrong: (exported: Exported, node: ts.Node) => boolean) =>
    all.filter((exported) => exported.declarations.some((node) => wrong(exported, node))).map(at)

  it('is not empty', () => {
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining([...ENTRY_POINTS, 'Fault', 'Testbed', 'button']))
  })

  it('has a doc comment on every symbol', () => {
    expect(every((_, node) => !hasDoc(node))).toEqual([])
  })

  it('documents every parameter of its functions', () => {
    const undocumented = ({ parameters }: ts.SignatureDeclaration, tags: readonly string[]) =>
      parameters.some(({ name }) =>
        ts.isIdentifier(name) ? !tags.includes(name.text) : tags.length < parameters.length,
      )
    expect(
      every((_, node) => {
        const signature = functionOf(node)
        return signature !== undefined && undocumented(signature, tagsOf(node, 'param'))
      }),
    ).toEqual([])
  })

  it('has an example on every entry point', () => {
    expect(every(({ name }, node) => ENTRY_POINTS.includes(name) && tagsOf(node, 'example').length === 0)).toEqual([])
  })
})
