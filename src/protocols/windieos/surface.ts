import * as z from 'zod'
import { type HttpOperation, ServerInfo, type Surface } from '../http/document.ts'
import * as bodies from './requests.ts'
import * as answers from './responses.ts'
import { Transcribed, TranscriptionControl } from './speech/transcription.ts'
import { Frames, Handshake, Messages } from './wire.ts'

type Method = HttpOperation['method']

const PROBLEMS = {
  401: answers.ErrorResponse,
  403: answers.ErrorResponse,
  422: answers.ErrorResponse,
  503: answers.ErrorResponse,
}
const MISSING = { 404: answers.ErrorResponse }
const CONFLICT = { 409: answers.ErrorResponse }

const op = (
  [method, path]: readonly [Method, string],
  summary: string,
  answer: z.ZodType | string,
  more: Partial<HttpOperation> = {},
): HttpOperation => ({ method, path, summary, ...more, responses: { 200: answer, ...PROBLEMS, ...more.responses } })

const run = (path: string) => `/api/runs/${path}`
const ocr = (
  route: string,
  summary: string,
  body: z.ZodType,
  answer: z.ZodType,
  more: HttpOperation['responses'] = {},
) => op(['post', `/api/sdk/ocr/${route}`], summary, answer, { body, responses: { ...MISSING, ...more } })
const vision = (route: string, summary: string, body: z.ZodType, answer: z.ZodType) =>
  op(['post', `/api/sdk/vision/${route}`], summary, answer, { body, responses: MISSING })

/** The surface from which the OpenAPI and AsyncAPI documents are generated. */
export const windieosSurface: Surface = {
  title: 'WindieOS backend',
  version: '1.0.0',
  description: 'An agent whose tools run on the client, with perception, memory and a control plane for runs.',
  url: 'http://127.0.0.1:8765',
  bearer: true,
  operations: [
    op(['get', '/'], 'What is served, and what to say to the built-in agent.', ServerInfo),
    op(['post', '/api/install/register'], 'Register an installation.', answers.RegisterResponse, {
      body: bodies.Register,
      bodyOptional: true,
    }),
    op(['get', '/api/install/me'], 'Who the token names.', answers.IdentityResponse),
    op(['post', '/api/embeddings'], 'Embed a text.', answers.EmbeddingResponse, { body: bodies.Embed }),
    op(['get', '/api/embeddings/health'], 'What embeds.', answers.EmbeddingHealth),
    op(['post', '/api/semantic/summarize'], 'Sum conversations up.', answers.SummaryResponse, {
      body: bodies.Summarize,
    }),
    op(['post', '/api/semantic/title'], 'Name a conversation.', answers.TitleResponse, { body: bodies.TitleRequest }),
    op(['get', '/api/semantic/health'], 'Whether conversations are summed up.', answers.SemanticHealth),
    op(['post', '/api/artifacts'], 'Upload a file.', answers.ArtifactResponse, {
      body: z.object({ file: z.file() }),
      bodyType: 'multipart/form-data',
      responses: { 413: answers.ErrorResponse },
    }),
    op(['get', '/api/artifacts/{id}'], 'A file as it was uploaded.', 'application/octet-stream', {
      responses: MISSING,
    }),
    ocr('run', 'All text of a picture.', bodies.OcrRun, answers.OcrRows),
    ocr('inspect', 'All text, and what a search for one finds.', bodies.Inspect, answers.OcrInspection),
    ocr('find-text', 'Text that is like a query.', bodies.Search, answers.OcrMatches),
    ocr('find-text-candidates', 'All text, the most alike first.', bodies.Search, answers.OcrMatches),
    ocr('resolve-text', 'The one place a query means.', bodies.Search, answers.OcrMatch, CONFLICT),
    ocr('resolve-candidate', 'A place by its id.', bodies.ResolveCandidate, answers.OcrCandidate),
    ocr('overlay', 'The picture with its text framed.', bodies.OcrOverlay, answers.Overlay),
    vision('locate', 'Where something is.', bodies.Locate, answers.LocateResponse),
    vision('locate-all', 'Where something is, as a list.', bodies.LocateAll, answers.LocateAllResponse),
    vision('describe', 'What a picture or a part of it shows.', bodies.Describe, answers.DescribeResponse),
    vision('overlay', 'The picture with points and regions.', bodies.VisionOverlay, answers.Overlay),
    op(['get', '/api/sdk/models'], 'The models, and what is set.', answers.ModelsResponse, { query: bodies.Overrides }),
    op(['get', '/api/sdk/tool-schemas'], 'The tools, all and narrowed.', answers.ToolSchemas, {
      query: bodies.Overrides,
    }),
    op(['get', '/api/sdk/tool-capabilities/{name}'], 'What is known of a tool.', answers.Capability, {
      query: bodies.Overrides,
      responses: MISSING,
    }),
    op(['get', '/api/sdk/system-prompt'], 'The system prompt.', answers.SystemPrompt, { query: bodies.Overrides }),
    op(['post', '/api/sdk/prompt-preview'], 'What a model would read.', answers.PromptPreviewResponse, {
      body: bodies.PromptPreview,
    }),
    op(['post', '/api/sdk/query-plan'], 'What a query would tell first.', answers.QueryPlanResponse, {
      body: bodies.QueryPlan,
    }),
    op(['post', '/api/runs'], 'Ask for a run.', answers.RunCreated, { body: bodies.CreateRun, responses: CONFLICT }),
    op(['post', run('workers/heartbeat')], 'A worker tells that it is there.', answers.HeartbeatResponse, {
      body: bodies.Heartbeat,
    }),
    op(['post', run('stop-all')], 'Stop every run.', answers.StopAllResponse, { body: bodies.StopAll }),
    op(['get', run('{id}')], 'A run as it is.', answers.RunRead, { responses: MISSING }),
    op(['get', run('{id}/events')], 'What happened in a run.', answers.RunEvents, {
      query: bodies.EventsQuery,
      responses: MISSING,
    }),
    op(['post', run('{id}/events')], 'A worker tells what it heard.', answers.RunChanged, {
      body: bodies.RelayEvent,
      responses: MISSING,
    }),
    op(['post', run('{id}/control')], 'Pause, resume, stop or hand over a run.', answers.RunChanged, {
      body: bodies.ControlRun,
      responses: { ...MISSING, ...CONFLICT },
    }),
    op(['post', run('{id}/worker-dispatched')], 'A worker has begun a run.', answers.RunChanged, {
      body: bodies.WorkerDispatched,
      responses: { ...MISSING, ...CONFLICT },
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
