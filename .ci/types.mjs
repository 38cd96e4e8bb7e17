// Rolls the declarations up: a file for each entry point, for modules and for CommonJS, and one for what they share. The bundler and the code
// here need the API of TypeScript 6; the compiler that checks and emits is newer and has none yet.
import { mkdirSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import ts from '@typescript/typescript6'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const ENTRIES = ['index', 'testing']

/** Reads what the compiler emitted into a folder, and writes the rolled-up declarations into another. */
export async function rollUpTypes(from, into) {
  const input = Object.fromEntries(ENTRIES.map((name) => [name, resolve(from, `${name}.d.ts`)]))
  spellOut(Object.values(input), resolve(from))
  // The types that entry points share are exported by the shared file.
  const onwarn = ({ plugin, message }) =>
    (plugin === 'dts' && message.includes('no public re-export')) || console.warn(message)
  const bundle = await rollup({
    input,
    onwarn,
    plugins: [dts()],
    treeshake: { moduleSideEffects: 'no-external' },
    external: (id) => !/^[./]/.test(id),
  })
  const { output } = await bundle.generate({
    plugins: [{ name: 'indent', renderChunk: (code) => code.replaceAll(FOUR_SPACES, '\t') }],
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared.d.ts',
    minifyInternalExports: false,
  })
  mkdirSync(into, { recursive: true })
  for (const { fileName, code, isEntry } of output) {
    const text = code.replace(SHARED, "'$1.cjs'")
    const name = fileName.replace(/\.d\.ts$/, '')
    writeFileSync(resolve(into, `${name}.d.cts`), text)
    if (isEntry) writeFileSync(resolve(into, fileName), `export * from './${name}.cjs'\n`)
  }
  const foreign = output.flatMap(({ imports }) => imports).filter((name) => !/^node:|^shared\.d\.ts$/.test(name))
  if (foreign.length > 0) throw new Error(`the types of the package name others: ${foreign.join(', ')}`)
}

/** Everything is written once, for CommonJS: programs of both kinds can import types from there. */
const SHARED = /'(\.\/\w+)\.js'/g

/** A level of indentation as the compiler writes it. Tabs keep the package small. */
const FOUR_SPACES = /(?<=^(?: {4})*) {4}/gm

const FLAGS =
  ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias | ts.NodeBuilderFlags.MultilineObjectLiterals

/** From a schema, or from the elements of a constant. */
const INFERRED = /\bz\.(infer|input|output)<|\(typeof \w+\)\[/

/** Replaces types that are inferred from values by what they are, so that neither values nor schemas are needed to read them. */
function spellOut(roots, folder) {
  const program = ts.createProgram(roots, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter({ removeComments: true })
  for (const file of program.getSourceFiles().filter(({ fileName }) => !relative(folder, fileName).startsWith('..'))) {
    const types = new Set(file.statements.flatMap((node) => (isType(node) ? [node.name.text] : [])))
    const edits = []
    const visit = (node) => {
      if (isSchemaOf(types, node, file)) edits.push({ node, text: '' })
      else if (ts.isTypeNode(node) && INFERRED.test(node.getText(file)) && mayReplace(node)) {
        const spelt = checker.typeToTypeNode(checker.getTypeFromTypeNode(node), node, FLAGS)
        edits.push({ node, text: printer.printNode(ts.EmitHint.Unspecified, spelt, file) })
      } else ts.forEachChild(node, visit)
    }
    ts.forEachChild(file, visit)
    const text = edits.reduceRight(
      (text, { node, text: instead }) => text.slice(0, node.getStart(file)) + instead + text.slice(node.getEnd()),
      file.text,
    )
    writeFileSync(file.fileName, text)
  }
}

const isType = (node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)

/** An alias as a whole, else the part that is inferred. */
const mayReplace = (node) =>
  ts.isTypeAliasDeclaration(node.parent) || (ts.isTypeReferenceNode(node) && /^z\.\w+$/.test(node.typeName.getText()))

/** Schemas have the names of their types. */
function isSchemaOf(types, node, file) {
  if (!ts.isVariableStatement(node)) return false
  const [declared] = node.declarationList.declarations
  return types.has(declared.name.getText(file)) && /\bz\./.test(declared.getText(file))
}
