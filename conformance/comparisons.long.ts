import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** The comparisons of a file whose failures would only say "expected 1, found 2". */
function unnamedComparisons(path: string): readonly string[] {
  const file = ts.createSourceFile(path, readFileSync(`${FOLDER}${path}`, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || !/^assert\.(?:equal|deepEqual)$/.test(node.expression.getText())) return
    const [, expected, message] = node.arguments
    const namesFields = ts.isObjectLiteralExpression(expected!) && expected.properties.length > 0
    if (message === undefined && !namesFields)
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
  }
  visit(file)
  return found
}

const isOfChecks = (path: string): boolean => /^[\w-]+\/(?:rules\/)?[\w-]+\.ts$/.test(path)

it('[CN3] each comparison of a check names what it compares', () => {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const checked = paths.filter(isOfChecks)
  expect(checked.length).toBeGreaterThan(80)
  expect(checked.flatMap(unnamedComparisons)).toEqual([])
})
