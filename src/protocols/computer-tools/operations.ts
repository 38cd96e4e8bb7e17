import * as z from 'zod'
import type { HttpOperation } from '../http/document.ts'
import { COMPUTER_PATH, ComputerDirectory, callQuery, definitionQuery } from './http.ts'
import { COMPUTER_DIALECTS, COMPUTER_VENDORS } from './vendors.ts'

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
