import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { noteText } from '../../observer/sights.ts'
import { describeProblems } from '../../observer/tool.ts'
import type { DoorContext } from '../door.ts'
import type { HttpOperation } from '../http/document.ts'
import type { CommandResult } from './contract.ts'
import { CONTRACT_CHOICES, findContract } from './contracts.ts'
import { openDeskSession } from './desk-session.ts'
import { countCommand } from './use.ts'

const MAX_WORDS = 1000
const MAX_WORD_CHARACTERS = 1_000_000
const MAX_NAME_CHARACTERS = 100
const MAX_PATH_CHARACTERS = 4096

/** The body of `POST /desk`. */
const DeskRequest = z.strictObject({
  contract: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .default('text')
    .describe(`One of ${CONTRACT_CHOICES.join(', ')}`),
  argv: z.array(z.string().max(MAX_WORD_CHARACTERS)).max(MAX_WORDS).describe('The words after the name of the program'),
  environment: z
    .record(z.string().max(MAX_NAME_CHARACTERS), z.string().max(MAX_PATH_CHARACTERS))
    .default({})
    .describe('The variables of the caller that the contract reads'),
  home: z
    .string()
    .max(MAX_PATH_CHARACTERS)
    .default('.')
    .describe('The folder on the machine of the caller for files that it gives no path'),
})

/** What the client prints, writes and exits with. */
const DeskResponse = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exit: z.int(),
  files: z
    .array(z.object({ path: z.string(), data: z.string().describe('Base64') }))
    .optional()
    .describe('Files that the client writes'),
})

/** The handler of the route. */
export interface DeskHttp {
  readonly run: (request: FastifyRequest, reply: FastifyReply) => Promise<CommandResult>
}

export function createDeskHttp({ sessionOf, audienceOf }: DoorContext): DeskHttp {
  return {
    run: async (request, reply) => {
      const session = sessionOf(request)
      const { contract: written, ...given } = readRequest(request.body)
      const found = findContract(written)
      if (!found)
        throw new Fault('BadRequest', `contract: expected ${CONTRACT_CHOICES.join(', ')}`, { field: 'contract' })
      const command = { ...given, version: found.version }
      const gone = new AbortController()
      reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
      const caller = { session, audience: audienceOf(session, request.headers), watch: { signal: gone.signal } }
      const run = await found.contract.load()
      const result = await run(command, openDeskSession(caller, command))
      await noteText(session.context, result.stdout)
      countCommand(session, command.argv, result)
      return result
    },
  }
}

function readRequest(body: unknown): z.infer<typeof DeskRequest> {
  const parsed = DeskRequest.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const problems = describeProblems(DeskRequest, body, parsed.error)
  throw new Fault('BadRequest', problems.join('; '), { problems })
}

const Refusal = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) })

/** The route in the OpenAPI document. */
export const deskOperations: readonly HttpOperation[] = [
  {
    method: 'post',
    path: '/desk',
    summary: 'Execute a command of the command line backlot desk.',
    body: DeskRequest,
    responses: { 200: DeskResponse, 400: Refusal, 401: Refusal, 403: Refusal, 404: Refusal, 413: Refusal },
  },
]
