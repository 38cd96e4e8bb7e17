import type { CertificationResult } from '../run/outcome.ts'
import { markOf, plural, type RequirementResult, troublesOf, wordOf } from '../suite/results.ts'

/** Lines of the summary of causes. */
const MAX_CAUSES = 5

/** What went wrong in a few lines: failures of the same call in one, each with what it keeps from being judged. */
export function describeCauses({ results }: CertificationResult): readonly string[] {
  const roots = troublesOf(results).filter((result) =>
    ['failed', 'unsteady', 'harness', 'warned'].includes(markOf(result)),
  )
  const groups = groupByCall(roots)
  const lines = groups.map(({ call, members }) => {
    const [first] = members
    const hidden = members.reduce((sum, { id }) => sum + hiddenBy(id, results), 0)
    const more = hidden === 0 ? '' : `; ${plural(hidden, 'requirement')} could not be judged because of it`
    return members.length === 1
      ? `${wordOf(markOf(first!))}: ${first!.id}${more}`
      : `${call}: ${members.map((one) => `${one.id} (${wordOf(markOf(one))})`).join(', ')}${more}`
  })
  const left = lines.length - MAX_CAUSES
  return left > 0 ? [...lines.slice(0, MAX_CAUSES), `… and ${plural(left, 'more cause')}`] : lines
}

/** How many requirements are not judged because of one, also over several steps. */
const hiddenBy = (id: string, results: readonly RequirementResult[]): number =>
  results
    .filter(({ dueTo, status }) => dueTo === id && status === 'unjudged')
    .reduce((sum, one) => sum + 1 + hiddenBy(one.id, results), 0)

interface Group {
  readonly call: string
  readonly members: RequirementResult[]
}

function groupByCall(roots: readonly RequirementResult[]): readonly Group[] {
  const groups: Group[] = []
  for (const result of roots) {
    const calls = callsOf(result)
    const known = groups.find(({ call }) => calls.includes(call))
    if (known) known.members.push(result)
    else groups.push({ call: calls[0] ?? result.id, members: [result] })
  }
  return groups
}

const CALL = /\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w./{}-]*[\w}]/g
/** What a failure adds about its last call, which need not be its subject. */
const LAST_CALL = / \(after .*/s

/** The calls that a failure is about: those that its own words name, and the sources of what does not agree. */
export function callsOf({ why = '', statements = {} }: RequirementResult): readonly string[] {
  const own = [...Object.keys(statements), why.replace(LAST_CALL, '')].join(' ').match(CALL) ?? []
  const last = LAST_CALL.exec(why)?.[0].match(CALL) ?? []
  const isRead = (call: string) => call.startsWith('GET ')
  const isGeneral = (call: string) => /\/(?:execute|load)$/.test(call)
  return [
    ...own.filter((call) => !isRead(call)),
    ...own.filter(isRead),
    ...last.filter((call) => !isRead(call) && !isGeneral(call)),
  ]
}
