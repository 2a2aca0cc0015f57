// Speaks the embedded model's side of its pipes, or does not: `model.mjs HOW [REPORT] SCRIPT --cwd DIR`.
const [how, report] = process.argv.slice(2)
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
const onEnd = (run) => process.stdin.on('end', run).resume()

switch (how) {
  case 'serves':
    say({ pause: { name: 'x' } })
    say('not an object')
    say({ url: 'http://127.0.0.1:9' })
    onEnd(() => say({ report: JSON.parse(report) }))
    break
  case 'fails':
    process.stderr.write('wire.json: rules: no such rule\n')
    process.exitCode = 2
    break
  case 'garbles':
    process.stdout.write('this is no line of ours\n')
    break
  case 'silent':
    onEnd(() => {})
    break
  case 'mute':
    setInterval(() => {}, 1000)
    break
  case 'loses':
    say({ url: 'http://127.0.0.1:9' })
    onEnd(() => process.exit(3))
    break
  case 'stays':
    say({ url: 'http://127.0.0.1:9' })
    setInterval(() => {}, 1000)
    break
}
