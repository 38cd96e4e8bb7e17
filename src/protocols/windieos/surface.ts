import * as z from 'zod'
import { type HttpOperation, ServerInfo, type Surface } from '../http/document.ts'
import * as requests from './requests.ts'
import * as responses from './responses.ts'
import { Transcribed, TranscriptionControl } from './speech/transcription.ts'
import { Frames, Handshake, Messages } from './wire.ts'

type Method = HttpOperation['method']

const PROBLEMS = {
  401: responses.ErrorResponse,
  403: responses.ErrorResponse,
  422: responses.ErrorResponse,
  503: responses.ErrorResponse,
}
const MISSING = { 404: responses.ErrorResponse }
const CONFLICT = { 409: responses.ErrorResponse }

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
    op(['get', '/'], 'The protocol, and the phrases of the built-in agent.', ServerInfo),
    op(['post', '/api/install/register'], 'Register an installation.', responses.RegisterResponse, {
      body: requests.Register,
      bodyOptional: true,
    }),
    op(['get', '/api/install/me'], 'The identity of the token.', responses.IdentityResponse),
    op(['post', '/api/embeddings'], 'Embed a text.', responses.EmbeddingResponse, { body: requests.Embed }),
    op(['get', '/api/embeddings/health'], 'The embedding model.', responses.EmbeddingHealth),
    op(['post', '/api/semantic/summarize'], 'Summarize conversations.', responses.SummaryResponse, {
      body: requests.Summarize,
    }),
    op(['post', '/api/semantic/title'], 'Create a title for a conversation.', responses.TitleResponse, {
      body: requests.TitleRequest,
    }),
    op(['get', '/api/semantic/health'], 'The health of the summarization service.', responses.SemanticHealth),
    op(['post', '/api/artifacts'], 'Upload a file.', responses.ArtifactResponse, {
      body: z.object({ file: z.file() }),
      bodyType: 'multipart/form-data',
      responses: { 413: responses.ErrorResponse },
    }),
    op(['get', '/api/artifacts/{id}'], 'An uploaded file.', 'application/octet-stream', {
      responses: MISSING,
    }),
    ocr('run', 'All text of a picture.', requests.OcrRun, responses.OcrRows),
    ocr('inspect', 'All text, and the matches of a query.', requests.Inspect, responses.OcrInspection),
    ocr('find-text', 'Text similar to a query.', requests.Search, responses.OcrMatches),
    ocr('find-text-candidates', 'All text, most similar first.', requests.Search, responses.OcrMatches),
    ocr('resolve-text', 'The only match of a query.', requests.Search, responses.OcrMatch, CONFLICT),
    ocr('resolve-candidate', 'A row by its candidate id.', requests.ResolveCandidate, responses.OcrCandidate),
    ocr('overlay', 'The picture with framed text.', requests.OcrOverlay, responses.Overlay),
    vision('locate', 'The position of an element.', requests.Locate, responses.LocateResponse),
    vision('locate-all', 'The position of an element, as a list.', requests.LocateAll, responses.LocateAllResponse),
    vision('describe', 'A description of a picture or a part of it.', requests.Describe, responses.DescribeResponse),
    vision('overlay', 'The picture with points and regions.', requests.VisionOverlay, responses.Overlay),
    op(['get', '/api/sdk/models'], 'The models, and the settings.', responses.ModelsResponse, {
      query: requests.Overrides,
    }),
    op(['get', '/api/sdk/tool-schemas'], 'All tools, and those of the session.', responses.ToolSchemas, {
      query: requests.Overrides,
    }),
    op(['get', '/api/sdk/tool-capabilities/{name}'], 'The capability of a tool.', responses.Capability, {
      query: requests.Overrides,
      responses: MISSING,
    }),
    op(['get', '/api/sdk/system-prompt'], 'The system prompt.', responses.SystemPrompt, { query: requests.Overrides }),
    op(['post', '/api/sdk/prompt-preview'], 'The prompt of a model.', responses.PromptPreviewResponse, {
      body: requests.PromptPreview,
    }),
    op(['post', '/api/sdk/query-plan'], 'The first events of a query.', responses.QueryPlanResponse, {
      body: requests.QueryPlan,
    }),
    op(['post', '/api/runs'], 'Create a run.', responses.RunCreated, { body: requests.CreateRun, responses: CONFLICT }),
    op(['post', run('workers/heartbeat')], 'Report the heartbeat of a worker.', responses.HeartbeatResponse, {
      body: requests.Heartbeat,
    }),
    op(['post', run('stop-all')], 'Stop every run.', responses.StopAllResponse, { body: requests.StopAll }),
    op(['get', run('{id}')], 'The state of a run.', responses.RunRead, { responses: MISSING }),
    op(['get', run('{id}/events')], 'The events of a run.', responses.RunEvents, {
      query: requests.EventsQuery,
      responses: MISSING,
    }),
    op(['post', run('{id}/events')], 'Relay an event of a worker.', responses.RunChanged, {
      body: requests.RelayEvent,
      responses: MISSING,
    }),
    op(['post', run('{id}/control')], 'Pause, resume, stop or hand over a run.', responses.RunChanged, {
      body: requests.ControlRun,
      responses: { ...MISSING, ...CONFLICT },
    }),
    op(['post', run('{id}/worker-dispatched')], 'Report that a worker has started a run.', responses.RunChanged, {
      body: requests.WorkerDispatched,
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
