import { answer, bodyOf, changeBody, changeBytes, replaceStatus } from '../../osworld/sabotage.ts'
import { defineSabotages } from '../behaviors.ts'

/** Faults of files, windows and recordings with correct shapes. */
export const osworldFileSabotages = defineSabotages('osworld', {
  'loses the last byte of a file': ['file:round', changeBytes('/file', (bytes) => bytes.subarray(0, -1))],
  'shows files in place': [
    'file:attachment',
    changeBytes('/file', (bytes, { headers }) => {
      headers['content-disposition'] = 'inline'
      return bytes
    }),
  ],
  'answers an upload in its own words': ['file:text', changeBytes('/setup/upload', () => Buffer.from('stored'))],
  'has no empty files': [
    'file:empty',
    {
      changeResponse: (response, { path }) => {
        if (path === '/file' && response.body.length === 0) response.status = 404
      },
    },
  ],
  'keeps the first upload': [
    'file:replaced',
    {
      changeRequest: (request) => {
        if (request.path !== '/setup/upload') return
        request.body = Buffer.from(request.body.toString('latin1').replace('a second', 'an earlier'), 'latin1')
      },
    },
  ],
  'refuses files that do not exist': ['file:missing', replaceStatus('/file', 404, 400)],
  'finds no file without a path': ['file:unnamed', replaceStatus('/file', 400, 404)],
  'breaks at an incomplete upload': ['file:incomplete', replaceStatus('/setup/upload', 400, 500)],
  'lists empty directories': [
    'directory:tree',
    answer('POST /list_directory', (json) => {
      for (const child of json.directory_tree.children) if (child.children) child.children = []
    }),
  ],
  'finds no directory': ['directory:missing', replaceStatus('/list_directory', 400, 404)],
  'breaks without a directory': [
    'directory:unnamed',
    {
      changeResponse: (response, request) => {
        if (request.path === '/list_directory' && bodyOf(request)?.path === undefined) response.status = 500
      },
    },
  ],
  'has its desktop nowhere': [
    'desktop:path',
    answer('POST /desktop_path', (json) => {
      json.desktop_path = `${json.desktop_path}/nowhere`
    }),
  ],
  'shows another wallpaper': ['wallpaper:round', changeBytes('/wallpaper', (bytes) => bytes.subarray(0, 20))],
  'refuses wallpapers that do not exist': ['wallpaper:missing', replaceStatus('/setup/change_wallpaper', 404, 400)],
  'breaks without a wallpaper': ['wallpaper:unnamed', replaceStatus('/setup/change_wallpaper', 400, 500)],
  'breaks at an incomplete download': ['download:unnamed', replaceStatus('/setup/download_file', 400, 500)],
  'compares whole titles': [
    'window:activate',
    changeBody('/setup/activate_window', (body) => {
      body.strict = true
    }),
  ],
  'compares parts of titles': [
    'window:strict',
    changeBody('/setup/activate_window', (body) => {
      body.strict = false
    }),
  ],
  'activates for closing': [
    'window:close',
    {
      changeRequest: (request) => {
        if (request.path === '/setup/close_window') request.path = '/setup/activate_window'
      },
    },
  ],
  'breaks without a title': ['window:unnamed', replaceStatus('/setup/close_window', 400, 500)],
  'breaks at an unknown title': ['window:unknown', replaceStatus('/setup/activate_window', 404, 500)],
  'answers the size of another window': [
    'window:size',
    answer('POST /window_size', (json) => {
      json.width = 2 * json.width + 200
    }),
  ],
  'finds no window without a class': ['window:size-unnamed', replaceStatus('/window_size', 400, 404)],
  'opens nothing': [
    'open:file',
    {
      changeRequest: (request) => {
        if (request.path === '/setup/open_file') request.path = '/platform'
      },
    },
  ],
  'refuses to open what does not exist': ['open:missing', replaceStatus('/setup/open_file', 404, 400)],
  'breaks without a file to open': ['open:unnamed', replaceStatus('/setup/open_file', 400, 500)],
  'answers a launch by JSON': [
    'launch:program',
    changeBytes('/setup/launch', (_, { headers }) => {
      headers['content-type'] = 'application/json'
      return Buffer.from('"launched"')
    }),
  ],
  'launches what does not exist': ['launch:missing', replaceStatus('/setup/launch', 500, 200)],
  'records another format': [
    'recording:video',
    changeBytes('/end_recording', () => Buffer.from('\u001aE\u00df\u00a3webm')),
  ],
  'records twice': ['recording:twice', replaceStatus('/start_recording', 400, 200)],
  'ends what was not started': ['recording:none', replaceStatus('/end_recording', 400, 200)],
})
