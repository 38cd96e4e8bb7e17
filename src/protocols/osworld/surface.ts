import * as z from 'zod'
import type { HttpOperation, Surface } from '../http/document.ts'
import {
  DownloadBody,
  Execute,
  ExecuteAndVerify,
  Executed,
  Launch,
  PathBody,
  RanPython,
  RanScript,
  RunBashScript,
  RunPython,
  ScreenSize,
  Verified,
  WindowBody,
} from './wire.ts'

const Problem = z.object({ status: z.literal('error'), message: z.string() })
const PROBLEMS = { 400: Problem, 401: Problem, 403: Problem, 429: Problem, 500: Problem }
const FORM = 'application/x-www-form-urlencoded'
const Tree = z.object({
  type: z.enum(['directory', 'file']),
  name: z.string(),
  get children() {
    return z.array(Tree).optional()
  },
})

const post = (path: string, summary: string, rest: Partial<HttpOperation>): HttpOperation => ({
  method: 'post',
  path,
  summary,
  ...rest,
  responses: { ...PROBLEMS, 413: Problem, 503: Problem, ...rest.responses },
})
const get = (path: string, summary: string, response: z.ZodType | string): HttpOperation => ({
  method: 'get',
  path,
  summary,
  responses: { 200: response, ...PROBLEMS },
})

/** The surface from which the OpenAPI document is generated. */
export const osworldSurface: Surface = {
  title: "Server inside of OSWorld's machines",
  version: '1.0.0',
  description: 'A desktop for runners of OSWorld: screenshots, programs with pyautogui, files and windows.',
  url: 'http://127.0.0.1:5000',
  bearer: true,
  operations: [
    {
      ...get('/screenshot', 'A picture of the screen, or of one monitor, with the pointer.', 'image/png'),
      query: z.object({ monitor: z.int().min(0).optional().describe('The index of a monitor; by default the screen') }),
    },
    get(
      '/terminal',
      'The text of the focused terminal.',
      z.object({ output: z.string().nullable(), status: z.string() }),
    ),
    get('/accessibility', 'The accessibility tree as XML.', z.object({ AT: z.string() })),
    get('/platform', 'The name of the platform.', 'text/plain'),
    get('/cursor_position', 'The position of the pointer.', z.tuple([z.int(), z.int()])),
    post('/screen_size', 'The size of the screen.', { responses: { 200: ScreenSize } }),
    post('/window_size', 'The size of the window of a program.', {
      body: z.object({ app_class_name: z.string() }),
      bodyType: FORM,
      responses: { 200: ScreenSize, 404: Problem },
    }),
    ...['/execute', '/setup/execute'].map((path) =>
      post(path, 'Run a program.', { body: Execute, responses: { 200: Executed } }),
    ),
    ...['/execute_with_verification', '/setup/execute_with_verification'].map((path) =>
      post(path, 'Run a program and wait for its effect.', {
        body: ExecuteAndVerify,
        responses: { 200: Verified },
      }),
    ),
    post('/run_python', 'Run Python.', { body: RunPython, responses: { 200: RanPython } }),
    post('/run_bash_script', 'Run a script.', { body: RunBashScript, responses: { 200: RanScript } }),
    post('/desktop_path', 'The folder of the desktop.', {
      responses: { 200: z.object({ desktop_path: z.string() }), 404: Problem },
    }),
    post('/list_directory', 'The files in a folder, at any depth.', {
      body: PathBody,
      responses: { 200: z.object({ directory_tree: Tree }) },
    }),
    post('/file', 'The content of a file.', {
      body: z.object({ file_path: z.string() }),
      bodyType: FORM,
      responses: { 200: 'application/octet-stream', 404: Problem },
    }),
    post('/setup/upload', 'Write a file.', {
      body: z.object({ file_path: z.string(), file_data: z.file() }),
      bodyType: 'multipart/form-data',
      responses: { 200: 'text/plain' },
    }),
    post('/setup/download_file', 'Refused: the server opens no connections.', { body: DownloadBody }),
    post('/setup/launch', 'Start a program or raise its window.', { body: Launch, responses: { 200: 'text/plain' } }),
    post('/setup/open_file', 'Open a file from a list that shows it.', {
      body: PathBody,
      responses: { 200: 'text/plain', 404: Problem },
    }),
    ...['activate', 'close'].map((act) =>
      post(`/setup/${act}_window`, `${act === 'close' ? 'Close' : 'Activate'} a window.`, {
        body: WindowBody,
        responses: { 200: 'text/plain', 404: Problem },
      }),
    ),
    post('/setup/change_wallpaper', 'Choose a picture as wallpaper.', {
      body: PathBody,
      responses: { 200: 'text/plain', 404: Problem },
    }),
    post('/start_recording', 'Start recording the screen.', {
      responses: { 200: z.object({ status: z.literal('success'), message: z.string() }) },
    }),
    post('/end_recording', 'End the recording and return it as a video.', { responses: { 200: 'video/mp4' } }),
    post('/wallpaper', 'The chosen wallpaper.', { responses: { 200: 'image/*', 404: Problem } }),
  ],
  channels: [],
}
