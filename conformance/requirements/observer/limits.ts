import type { Requirements } from '../../requirement.ts'

const V2 = 'API for LLM tool use, version 2'
const SENSE = 'good sense'
const TRACES = `${V2}, traces and replay`

/** Expensive requests, requests for forbidden data, and recorded data. */
export const limitRequirements = {
  'observer:limits:body': {
    level: 'SHOULD',
    text: 'A body of 64 MB is refused, and the server keeps running.',
    source: SENSE,
    basis: { because: 'The document sets no limit; a few such bodies could fill the memory.' },
    covers: ['O-R5'],
    tier: 'full',
  },
  'observer:limits:pattern': {
    level: 'SHOULD',
    text: 'An expression that backtracks without end does not hold up the server.',
    source: SENSE,
    basis: { because: 'The document takes expressions from clients; some of them take years on a short text.' },
    covers: ['O-C3', 'O-P5'],
    tier: 'full',
  },
  'observer:files:silent': {
    level: 'SHOULD',
    text: 'Paths outside the readable folders reveal nothing: an existing file gets the same response as a missing one.',
    source: SENSE,
    basis: { because: 'The document takes paths from clients; the answers could search the disk.' },
    covers: ['O-E34', 'O-E38', 'O-P9'],
    tier: 'full',
  },
  'observer:trace:screenshots': {
    level: 'SHOULD',
    text: 'The screenshots of a trace are step-NNNNN-full.png in its folder screenshots.',
    source: TRACES,
    basis: { states: 'A trace has screenshots/step-NNNNN-full.png, at its cadence.' },
    covers: ['O-R10'],
    tier: 'full',
  },
  'observer:trace:secrets': {
    level: 'SHOULD',
    text: 'Typed text is not in any trace when its argument is redacted.',
    source: TRACES,
    basis: { because: 'The document has redact_arg_keys for the log; the trace would contain the same text.' },
    covers: ['O-R10'],
    tier: 'full',
  },
  'observer:replay:since': {
    level: 'SHOULD',
    text: 'A trace with differences since a token diverges nowhere on the same scenario.',
    source: TRACES,
    basis: {
      because:
        'The document does not specify which results are compared; a token of the recording never equals that of the replay.',
    },
    covers: ['O-E36', 'O-R9'],
    tier: 'full',
  },
  'observer:replay:long': {
    level: 'SHOULD',
    text: 'A long argument is replayed whole, or not at all.',
    source: TRACES,
    basis: { because: 'The document does not cover arguments that are cut; another text would be typed.' },
    covers: ['O-E35', 'O-R10'],
    tier: 'full',
  },
  'observer:replay:redacted': {
    level: 'SHOULD',
    text: 'An argument that a trace withholds is replayed as it was, or not at all.',
    source: TRACES,
    basis: {
      because: 'The document does not cover it; otherwise the placeholder of the text would be typed.',
    },
    covers: ['O-E35', 'O-R10'],
    tier: 'full',
  },
} as const satisfies Requirements
