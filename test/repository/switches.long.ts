import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { expect, it } from 'vitest'

// A switch over kinds lists every kind, so that the compiler names it when there is a new one.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMPILER_MS = 300_000

/** Switches with a `default`, by file, and why a new kind may take it. */
const REASONS: Readonly<Record<string, string>> = {
  'src/adapters/mswindows/accessibility/control-actions.ts': 'a control offers no action until it has a case',
  'src/adapters/mswindows/accessibility/control-classes.ts': 'the default reads a table that has every other kind',
  'src/desktop/widgets/validation.ts': 'a role has the content of its value unless it says otherwise',
  'src/paint/sketch/labels.ts': 'a role is sketched by its name and value unless it says otherwise',
  'src/scenario/layout/layout.ts': 'children are beside their parent unless its role says otherwise',
  'src/base/external-values.ts': 'issues are those of zod, which has a message for each',
  'src/scenario/source/problem.ts': 'issues are those of zod, which has a message for each',
  'src/scenario/personalities/personality.ts': 'a role is viewed as itself unless it says otherwise',
}

/** The kinds of a switch: the texts of a union. Undefined for other values, such as any text. */
function kindsOf(type: ts.Type): ReadonlySet<string> | undefined {
  const parts = type.isUnion() ? type.types : []
  return parts.length > 1 && parts.every((part) => part.isStringLiteral())
    ? new Set(parts.map((part) => (part as ts.StringLiteralType).value))
    : undefined
}

/** Whether nothing comes after a switch in its function, so that a kind without a case does nothing. */
const isLast = (node: ts.Node): boolean =>
  ts.isBlock(node.parent) && node.parent.statements.at(-1) === node && ts.isFunctionLike(node.parent.parent)

/** The places of switches that a new kind passes silently. */
function silentSwitches(file: ts.SourceFile, checker: ts.TypeChecker): readonly number[] {
  const lines: number[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isSwitchStatement(node)) return
    const kinds = kindsOf(checker.getTypeAtLocation(node.expression))
    if (!kinds) return
    const { clauses } = node.caseBlock
    const cases = clauses.filter(ts.isCaseClause).map(({ expression }) => (expression as ts.StringLiteral).text)
    const isComplete = [...kinds].every((kind) => cases.includes(kind))
    if (clauses.some(ts.isDefaultClause) || (!isComplete && isLast(node)))
      lines.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1)
  }
  visit(file)
  return lines
}

it('a switch over kinds has no default and misses no kind, or has a reason', { timeout: COMPILER_MS }, () => {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src', 'conformance'] },
    ts.sys,
    ROOT,
  )
  const product = fileNames.filter((name) => !/\.(?:test|suite|long|real|wine|desktops)\.ts$/.test(name))
  const program = ts.createProgram(product, options)
  const silent = product.flatMap((name) =>
    silentSwitches(program.getSourceFile(name)!, program.getTypeChecker()).map(
      (line) => [name.slice(ROOT.length), line] as const,
    ),
  )
  expect(silent.filter(([name]) => !(name in REASONS)).map(([name, line]) => `${name}:${line}`)).toEqual([])
  const unused = Object.keys(REASONS).filter((name) => !silent.some(([silentName]) => silentName === name))
  expect(unused).toEqual([])
})
