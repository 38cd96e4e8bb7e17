import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { DoorContext } from '../door.ts'
import type { HttpOperation } from '../http/document.ts'
import { HTTP_STATUS } from '../http/status.ts'
import type { ComputerCallOptions } from './dialect.ts'
import { readPart } from './input.ts'
import { modelScreen } from './screen.ts'
import { COMPUTER_DIALECTS, COMPUTER_VENDORS, type ComputerVendor, computerTool, runVendorCall } from './vendors.ts'

/** Where the routes begin. */
export const COMPUTER_PATH = '/computer'

/** The request header with the ids that a person has confirmed, with commas between them. */
export const CONFIRM_HEADER = 'x-backlot-confirm'
/** The response header that says in ASCII what is to be confirmed. */
export const CONFIRM_MESSAGE_HEADER = 'x-backlot-confirm-message'
/** The response headers of a failed call: its code, and its message in ASCII. */
export const ERROR_HEADER = 'x-backlot-error'
export const ERROR_MESSAGE_HEADER = 'x-backlot-error-message'

/** Ids that fit into a header. Those of the request's own safety checks can be any text, and are in the body too. */
const HEADER_IDS = /^[\x21-\x7e]{1,1000}$/

const MAX_SIDE_PX = 10_000
const Side = z.coerce.number().int().min(1).max(MAX_SIDE_PX)
const Flag = z.enum(['true', 'false'])

const display = {
  display_width: Side.optional().describe('The width of screenshots that was declared to the model, in pixels'),
  display_height: Side.optional().describe('Their height'),
  monitor: z
    .string()
    .regex(/^\d{1,3}$/, 'expected the index of a monitor')
    .transform(Number)
    .optional()
    .describe('The index of the monitor that screenshots show, as in get_monitors; by default the whole screen'),
}

/** The query of a definition. */
export const definitionQuery = (vendor: ComputerVendor) =>
  z.strictObject({ version: z.enum(COMPUTER_DIALECTS[vendor].versions).optional(), ...display })

/** The query of a call. */
export const callQuery = (vendor: ComputerVendor) =>
  definitionQuery(vendor).extend({
    pointer: Flag.optional().describe('Whether screenshots show the pointer; by default they do not'),
    ...(vendor === 'anthropic' && {
      screenshot: Flag.optional().describe(
        'Whether actions are answered by a screenshot too; by default for the single tool only',
      ),
    }),
  })

/** The response of GET /computer. */
export const ComputerDirectory = z.object({
  screen: z.object({ width: z.int(), height: z.int() }),
  vendors: z.array(
    z.object({ vendor: z.string(), path: z.string(), definition: z.string(), versions: z.array(z.string()) }),
  ),
})

/** The handlers of the routes. */
export interface ComputerHttp {
  readonly directory: (request: FastifyRequest) => Promise<z.infer<typeof ComputerDirectory>>
  readonly define: (request: FastifyRequest, vendor: ComputerVendor) => Promise<object>
  readonly run: (request: FastifyRequest, reply: FastifyReply, vendor: ComputerVendor) => Promise<unknown>
}

export function createComputerHttp({ sessionOf, audienceOf }: DoorContext): ComputerHttp {
  return {
    directory: async (request) => {
      const { size } = await modelScreen(sessionOf(request), {})
      const vendors = COMPUTER_VENDORS.map((vendor) => {
        const path = `${COMPUTER_PATH}/${vendor}`
        return { vendor, path, definition: `${path}/definition`, versions: [...COMPUTER_DIALECTS[vendor].versions] }
      })
      return { screen: { width: size.width, height: size.height }, vendors }
    },
    define: async (request, vendor) => {
      const { version, ...sides } = readPart(definitionQuery(vendor), request.query)
      return computerTool(sessionOf(request), vendor, { version, display: toDeclaredScreen(sides) })
    },
    run: async (request, reply, vendor) => {
      const session = sessionOf(request)
      const gone = new AbortController()
      reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
      const { output, fault, confirmation } = await runVendorCall(
        { session, audience: audienceOf(session, request.headers), watch: { signal: gone.signal } },
        vendor,
        request.body,
        readCall(request, vendor),
      )
      if (fault) reply.headers({ [ERROR_HEADER]: fault.code, [ERROR_MESSAGE_HEADER]: inAscii(fault.message) })
      if (confirmation && HEADER_IDS.test(confirmation.id))
        reply.headers({ [CONFIRM_HEADER]: confirmation.id, [CONFIRM_MESSAGE_HEADER]: inAscii(confirmation.message) })
      const pending = fault && confirmation && COMPUTER_DIALECTS[vendor].pendingOf?.(confirmation, fault)
      return pending ? reply.code(HTTP_STATUS.ConfirmationRequired).send(pending) : reply.send(output)
    },
  }
}

interface DisplayQuery {
  readonly display_width?: number | undefined
  readonly display_height?: number | undefined
  readonly monitor?: number | undefined
}

const toDeclaredScreen = ({ display_width, display_height, monitor }: DisplayQuery) => ({
  width: display_width,
  height: display_height,
  monitor,
})

function readCall({ query, headers }: FastifyRequest, vendor: ComputerVendor): ComputerCallOptions {
  const { version, pointer, screenshot, ...sides } = readPart(callQuery(vendor), query) as z.infer<
    ReturnType<typeof callQuery>
  > & { screenshot?: z.infer<typeof Flag> }
  const confirmed = headers[CONFIRM_HEADER]
  return {
    version,
    display: toDeclaredScreen(sides),
    pointer: pointer === 'true',
    ...(screenshot && { screenshot: screenshot === 'true' }),
    ...(typeof confirmed === 'string' && { acknowledged: confirmed.split(',').map((id) => id.trim()) }),
  }
}

/** The body and the status of an error, in the dialect of a vendor. */
export function vendorError(
  thrown: unknown,
  vendor: ComputerVendor,
): { readonly status: number; readonly body: object } {
  const fault = Fault.from(thrown)
  return { status: HTTP_STATUS[fault.code], body: COMPUTER_DIALECTS[vendor].errorOf(fault) }
}

const MAX_MESSAGE_LENGTH = 500

/** Printable ASCII for a header. Other characters are percent-encoded as in a URL. */
const inAscii = (text: string): string =>
  [...Buffer.from(text.slice(0, MAX_MESSAGE_LENGTH))]
    .map((byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x25 ? String.fromCharCode(byte) : percentEncoded(byte)))
    .join('')

const percentEncoded = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** An error, in the shape of the vendor's API. */
const VendorError = z.looseObject({ error: z.looseObject({ message: z.string() }) })
const refused = { 400: VendorError, 401: VendorError, 403: VendorError, 404: VendorError, 413: VendorError }

/** The routes of the computer tools in the OpenAPI document. */
export const computerOperations: readonly HttpOperation[] = [
  {
    method: 'get',
    path: COMPUTER_PATH,
    summary: 'List the computer tools of model vendors, and the size of the screen.',
    responses: {
      200: ComputerDirectory,
      401: z.looseObject({ error: z.unknown() }),
      404: z.looseObject({ error: z.unknown() }),
    },
  },
  ...COMPUTER_VENDORS.flatMap((vendor): readonly HttpOperation[] => {
    const { wire, pendingOf } = COMPUTER_DIALECTS[vendor]
    const path = `${COMPUTER_PATH}/${vendor}`
    return [
      {
        method: 'post',
        path,
        summary: `Execute what a model sent to the computer tool of ${vendor}.`,
        query: callQuery(vendor),
        body: wire.request,
        responses: { 200: wire.response, ...refused, ...(pendingOf && { 412: VendorError }) },
      },
      {
        method: 'get',
        path: `${path}/definition`,
        summary: `Get the computer tool of ${vendor} for a request to its API.`,
        query: definitionQuery(vendor),
        responses: { 200: wire.definition, ...refused },
      },
    ]
  }),
]
