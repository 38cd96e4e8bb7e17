import { HARNESS_HEADER } from '../http/guard.ts'
import { type AccessProbe, type AgentRequest, HARNESS_GUESSES, type ProbeContext, WRONG_TOKENS } from '../probe.ts'
import { CONTRACT_CHOICES } from './contracts.ts'

const command = (argv: readonly string[], contract = 'text', prefix = ''): AgentRequest => ({
  method: 'POST',
  path: `${prefix}/desk`,
  body: { contract, argv },
})

/** The tools of the harness as commands, also with guessed harness tokens, and commands with other tokens and for other sessions. */
const refused = ({ sessionId, harnessTools }: ProbeContext): readonly AgentRequest[] => {
  const [first = ''] = harnessTools
  return [
    ...CONTRACT_CHOICES.flatMap((contract) => harnessTools.map((tool) => command([tool], contract))),
    command([first], 'text', `/sessions/${sessionId}`),
    ...HARNESS_GUESSES.map((guess) => ({ ...command([first]), headers: { [HARNESS_HEADER]: guess } })),
    ...WRONG_TOKENS.map((headers) => ({ ...command(['snapshot']), headers })),
    command(['snapshot'], 'text', '/sessions/other'),
  ]
}

const OBSERVATIONS: readonly (readonly string[])[] = [
  ['snapshot'],
  ['windows'],
  ['status'],
  ['find', 'a'],
  ['read', 'e1'],
]

/** The command line. It has commands and no tools, so that the name of a tool of the harness is an unknown command. */
export const deskProbe: AccessProbe = {
  title: 'the command line',
  refused,
  allowed: () => CONTRACT_CHOICES.flatMap((contract) => OBSERVATIONS.map((argv) => command(argv, contract))),
  isRefused: ({ status, body }) => status >= 400 || (body as { readonly exit?: unknown }).exit !== 0,
}
