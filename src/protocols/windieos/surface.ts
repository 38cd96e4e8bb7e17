import * as z from 'zod'
import { Greeting, type Operation, type Surface } from '../document.ts'
import * as answers from './answers.ts'
import * as bodies from './bodies.ts'
import { Transcribed, TranscriptionControl } from './transcription.ts'
import { Frames, Handshake, Messages } from './wire.ts'

type Method = Operation['method']

const PROBLEMS = { 401: answers.Problem, 403: answers.Problem, 422: answers.Problem, 503: answers.Problem }
const MISSING = { 404: answers.Problem }
const CONFLICT = { 409: answers.Problem }

const op = (
  [method, path]: readonly [Method, string],
  summary: string,
  answer: z.ZodType | string,
  more: Partial<Operation> = {},
): Operation => ({ method, path, summary, ...more, answers: { 200: answer, ...PROBLEMS, ...more.answers } })

const run = (path: string) => `/api/runs/${path}`
const ocr = (route: string, summary: string, body: z.ZodType, answer: z.ZodType, more: Operation['answers'] = {}) =>
  op(['post', `/api/sdk/ocr/${route}`], summary, answer, { body, answers: { ...MISSING, ...more } })
const vision = (route: string, summary: string, body: z.ZodType, answer: z.ZodType) =>
  op(['post', `/api/sdk/vision/${route}`], summary, answer, { body, answers: MISSING })

/** The protocol as its documents for machines describe it. */
export const windieosSurface: Surface = {
  title: 'WindieOS backend',
  version: '1.0.0',
  about: 'An agent whose tools run on the client, with perception, memory and a control plane for runs.',
  url: 'http://127.0.0.1:8765',
  bearer: true,
  operations: [
    op(['get', '/'], 'What is served, and what to say to the built-in agent.', Greeting),
    op(['post', '/api/install/register'], 'Register an installation.', answers.Registered, {
      body: bodies.Register,
      bodyOptional: true,
    }),
    op(['get', '/api/install/me'], 'Who the token names.', answers.Me),
    op(['post', '/api/embeddings'], 'Embed a text.', answers.Embedding, { body: bodies.Embed }),
    op(['get', '/api/embeddings/health'], 'What embeds.', answers.EmbeddingHealth),
    op(['post', '/api/semantic/summarize'], 'Sum conversations up.', answers.Summary, { body: bodies.Summarize }),
    op(['post', '/api/semantic/title'], 'Name a conversation.', answers.Title, { body: bodies.Title }),
    op(['get', '/api/semantic/health'], 'Whether conversations are summed up.', answers.SemanticHealth),
    op(['post', '/api/artifacts'], 'Upload a file.', answers.Artifact, {
      body: z.object({ file: z.file() }),
      bodyType: 'multipart/form-data',
      answers: { 413: answers.Problem },
    }),
    op(['get', '/api/artifacts/{id}'], 'A file as it was uploaded.', 'application/octet-stream', { answers: MISSING }),
    ocr('run', 'All text of a picture.', bodies.Run, answers.OcrRows),
    ocr('inspect', 'All text, and what a search for one finds.', bodies.Inspect, answers.OcrInspection),
    ocr('find-text', 'Text that is like a query.', bodies.Search, answers.OcrMatches),
    ocr('find-text-candidates', 'All text, the most alike first.', bodies.Search, answers.OcrMatches),
    ocr('resolve-text', 'The one place a query means.', bodies.Search, answers.OcrMatch, CONFLICT),
    ocr('resolve-candidate', 'A place by its id.', bodies.ResolveCandidate, answers.OcrCandidate),
    ocr('overlay', 'The picture with its text framed.', bodies.OcrOverlay, answers.Overlay),
    vision('locate', 'Where something is.', bodies.Locate, answers.Located),
    vision('locate-all', 'Where something is, as a list.', bodies.LocateAll, answers.AllLocated),
    vision('describe', 'What a picture or a part of it shows.', bodies.Describe, answers.Described),
    vision('overlay', 'The picture with points and regions.', bodies.VisionOverlay, answers.Overlay),
    op(['get', '/api/sdk/models'], 'The models, and what is set.', answers.Models, { query: bodies.Overrides }),
    op(['get', '/api/sdk/tool-schemas'], 'The tools, all and narrowed.', answers.ToolSchemas, {
      query: bodies.Overrides,
    }),
    op(['get', '/api/sdk/tool-capabilities/{name}'], 'What is known of a tool.', answers.Capability, {
      query: bodies.Overrides,
      answers: MISSING,
    }),
    op(['get', '/api/sdk/system-prompt'], 'The system prompt.', answers.SystemPrompt, { query: bodies.Overrides }),
    op(['post', '/api/sdk/prompt-preview'], 'What a model would read.', answers.Preview, {
      body: bodies.PromptPreview,
    }),
    op(['post', '/api/sdk/query-plan'], 'What a query would tell first.', answers.Plan, { body: bodies.QueryPlan }),
    op(['post', '/api/runs'], 'Ask for a run.', answers.RunCreated, { body: bodies.CreateRun, answers: CONFLICT }),
    op(['post', run('workers/heartbeat')], 'A worker tells that it is there.', answers.Beaten, {
      body: bodies.Heartbeat,
    }),
    op(['post', run('stop-all')], 'Stop every run.', answers.Stopped, { body: bodies.StopAll }),
    op(['get', run('{id}')], 'A run as it is.', answers.RunRead, { answers: MISSING }),
    op(['get', run('{id}/events')], 'What happened in a run.', answers.RunEvents, {
      query: bodies.EventsAfter,
      answers: MISSING,
    }),
    op(['post', run('{id}/events')], 'A worker tells what it heard.', answers.RunChanged, {
      body: bodies.RelayEvent,
      answers: MISSING,
    }),
    op(['post', run('{id}/control')], 'Pause, resume, stop or hand over a run.', answers.RunChanged, {
      body: bodies.ControlRun,
      answers: { ...MISSING, ...CONFLICT },
    }),
    op(['post', run('{id}/worker-dispatched')], 'A worker has begun a run.', answers.RunChanged, {
      body: bodies.Dispatched,
      answers: { ...MISSING, ...CONFLICT },
    }),
  ],
  channels: [
    {
      name: 'agent',
      over: 'ws',
      address: '/ws',
      toServer: { handshake: Handshake, ...Messages },
      toClient: Frames,
    },
    {
      name: 'transcription',
      over: 'ws',
      address: '/ws/transcription',
      toServer: { control: TranscriptionControl },
      toClient: { transcribed: Transcribed },
    },
  ],
}
