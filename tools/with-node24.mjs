// Runs a TypeScript tool with Node 24 and complete dependencies, starting from any Node >= 20:
//   node tools/with-node24.mjs <script.ts> [arguments]
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [script, ...args] = process.argv.slice(2)
const installLock = join(
  tmpdir(),
  `npm-ci-${process.getuid?.() ?? 'user'}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
)
const installTimeoutMs = 15 * 60_000

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** npm writes `node_modules/.package-lock.json` last, so a match proves a finished install of this very lockfile. */
function installed() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = present[path]
    return found
      ? entry.link === true || found.version === entry.version
      : Boolean(entry.optional || entry.devOptional || entry.peer)
  })
}

function running(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function acquireInstallLock() {
  const deadline = Date.now() + installTimeoutMs
  const holder = join(installLock, 'pid')
  for (let waited = false; Date.now() < deadline; waited = true) {
    try {
      mkdirSync(installLock)
      writeFileSync(holder, String(process.pid))
      return
    } catch (error) {
      if (error.code !== 'EEXIST')
        fail(`Cannot create ${installLock} (${error.code}): make the temporary folder writable or set TMPDIR.`)
    }
    // A lock without a pid is one that was created a moment ago.
    const pid = readJson(holder)
    if (pid && !running(pid)) rmSync(installLock, { recursive: true, force: true })
    else {
      if (!waited) process.stderr.write('waiting for another run that installs dependencies…\n')
      await delay(250)
    }
  }
  fail(`Another run has been installing dependencies for too long: stop it, remove ${installLock} and try again.`)
}

function npmCi() {
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const child = spawn(npm[0], [...npm.slice(1), 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk) => (output = (output + chunk).slice(-16_000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((done) => {
    child.once('error', () => done('npm was not found on PATH'))
    // After a usage error npm prints its whole manual.
    const reason = () =>
      output
        .split(/^npm error Clean install a project/m)[0]
        .trim()
        .split('\n')
        .slice(-12)
        .join('\n')
    child.once('close', (code) => done(code === 0 ? null : reason()))
  })
}

async function install() {
  await acquireInstallLock()
  process.once('exit', () => rmSync(installLock, { recursive: true, force: true }))
  if (!installed()) {
    const started = Date.now()
    process.stderr.write('installing dependencies (npm ci) …')
    const problem = await npmCi()
    process.stderr.write(problem === null ? ` ${((Date.now() - started) / 1000).toFixed(1)} s\n` : '\n')
    if (problem !== null)
      fail(
        `${problem}\nDependencies could not be installed: fix the cause above (network, disk space, npm) and run the command again.`,
      )
  }
  rmSync(installLock, { recursive: true, force: true })
}

/** The folder of a Node >= 24 binary. */
function node24() {
  const packaged = join(root, `node_modules/node-${process.platform}-${process.arch}/bin`)
  if (existsSync(join(packaged, 'node'))) return packaged
  if (Number(process.versions.node.split('.')[0]) >= 24) return dirname(process.execPath)
  return fail(
    `Node 24 is needed and this is ${process.version} on ${process.platform}-${process.arch}: install Node 24 (https://nodejs.org) and run the command again.`,
  )
}

function run(bin) {
  const child = spawn(join(bin, 'node'), [script, ...args], {
    stdio: 'inherit',
    env: {
      // Node keeps stripped and compiled sources there; a third less CPU for each start.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      SVC_LAUNCHER_PID: String(process.pid),
    },
  })
  // A terminal sends Ctrl-C to the whole foreground group, so the child already has it.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  // npm that is killed outright passes no signal on.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 1_000).unref()
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) =>
    fail(`Node 24 at ${bin} could not be started (${error.code}): remove node_modules and run the command again.`),
  )
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (!script) fail('usage: node tools/with-node24.mjs <script.ts> [arguments]')
// Help never installs anything. The help.txt in a folder is that of its main.ts; another tool prints its own, which needs
// its dependencies.
const help = basename(script) === 'main.ts' ? join(dirname(resolve(script)), 'help.txt') : null
if (args.includes('--help') && help !== null && existsSync(help)) {
  process.stdout.write(readFileSync(help, 'utf8'))
} else if (args.includes('--help') && !installed()) {
  fail(`The help of ${script} needs the dependencies, which are not installed: run npm ci, then repeat this command.`)
} else {
  if (!installed()) await install()
  run(node24())
}
