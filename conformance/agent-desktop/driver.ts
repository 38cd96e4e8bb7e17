import assert from 'node:assert/strict'
import * as z from 'zod'
import type { CommandRun } from '../probe/command.ts'
import { parseAs, parseJson } from '../probe/failure.ts'
import type { AnyJson } from '../suite/behaviors.ts'
import type { SabotageBehavior } from '../suite/sabotage.ts'
import type { TestContext } from '../suite/test-context.ts'
import { Failure, type Node, Snapshot, Success, type Trouble } from './contract.ts'

/** The JSON that a call printed. */
export const printed = ({ stdout, words }: CommandRun): unknown => parseJson(stdout, `the output of ${words.join(' ')}`)

/** Calls a command that succeeds, and returns its data. */
export async function ask<T>(context: TestContext, shape: z.ZodType<T>, ...words: readonly string[]): Promise<T> {
  const what = words.join(' ')
  const { data } = parseAs(Success, printed(await context.run(...words)), `the output of ${what}`)
  return parseAs(shape, data, `the data of ${what}`)
}

/** Calls a command that fails, and returns its error. */
export async function refused(context: TestContext, ...words: readonly string[]): Promise<z.infer<typeof Trouble>> {
  return parseAs(Failure, printed(await context.run(...words)), `the output of ${words.join(' ')}`).error
}

/** Asserts the code of the error of a command. */
export async function expectCode(context: TestContext, code: string, ...words: readonly string[]): Promise<void> {
  assert.equal((await refused(context, ...words)).code, code, `the code of ${words.join(' ')}`)
}

const Facts = z.string().min(1)

/** A name that the profile knows, such as that of a button. */
export const fact = ({ profile }: TestContext, name: string): string => profile.known(name, Facts)

/** A snapshot of the app of the profile. */
export const takeSnapshot = (context: TestContext, ...flags: readonly string[]): Promise<Snapshot> =>
  ask(context, Snapshot, 'snapshot', '--app', fact(context, 'app'), ...flags)

/** All nodes, depth first. */
export const nodesOf = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)]

/** The refs of a snapshot, in the order of its nodes. */
export const refsOf = ({ tree }: Pick<Snapshot, 'tree'>): readonly string[] =>
  nodesOf(tree).flatMap(({ ref_id }) => ref_id ?? [])

/** The node with a name that the profile knows. */
export function nodeOf(context: TestContext, { tree }: Snapshot, known: string): Node {
  const name = fact(context, known)
  const node = nodesOf(tree).find((each) => each.name === name && each.ref_id !== undefined)
  assert.ok(node, `prerequisite: no element with a ref is called ${JSON.stringify(name)}`)
  return node
}

export const refOf = (context: TestContext, snapshot: Snapshot, known: string): string =>
  nodeOf(context, snapshot, known).ref_id!

/** A ref of a new snapshot. */
export const freshRef = async (context: TestContext, known: string): Promise<string> =>
  refOf(context, await takeSnapshot(context), known)

/** Checks that this is the command line, and that the window of the profile is open. */
export async function handshake(context: TestContext): Promise<void> {
  await ask(context, z.looseObject({ platform: z.string() }), 'status')
}

/** A sabotage of the JSON that calls print. */
export const onPrinted = (change: (value: AnyJson, run: CommandRun) => void): SabotageBehavior => ({
  changeRun: (run) => {
    if (!run.stdout.startsWith('{')) return
    const value = JSON.parse(run.stdout)
    change(value, run)
    run.stdout = `${JSON.stringify(value)}\n`
  },
})

/** A sabotage of the data of one command. */
export const onData = (command: string, change: (data: AnyJson, run: CommandRun) => void): SabotageBehavior =>
  onPrinted((value, run) => {
    if (value.ok && value.command === command) change(value.data, run)
  })

/** A sabotage of the errors with a code. */
export const onError = (code: string, change: (error: AnyJson, run: CommandRun) => void): SabotageBehavior =>
  onPrinted((value, run) => {
    if (!value.ok && value.error.code === code) change(value.error, run)
  })

/** A sabotage that gives another code to some errors. */
export const changeCode = (from: string, to: string, isMeant: (run: CommandRun) => boolean = () => true) =>
  onError(from, (error, run) => {
    if (isMeant(run)) error.code = to
  })

/** Replaces the failure of calls by a success. */
export const forgive = (code: string, isMeant: (run: CommandRun) => boolean = () => true): SabotageBehavior =>
  onPrinted((value, run) => {
    if (value.ok || value.error.code !== code || !isMeant(run)) return
    value.ok = true
    value.data = { action: 'click', disposition: { delivery: 'delivered_verified', retry: 'unsafe' } }
    delete value.error
    run.exit = 0
  })

/** Applies a change to every node of a tree. */
export function eachNode(node: AnyJson, change: (node: AnyJson) => void): void {
  change(node)
  for (const child of node.children ?? []) eachNode(child, change)
}
