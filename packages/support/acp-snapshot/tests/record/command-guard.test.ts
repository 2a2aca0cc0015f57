import { describe, expect, it } from 'vitest'
import { commandProblems } from '../../src/record/command-guard.ts'

const names = (command: string, allowed: string[] = [], workdir?: string) =>
  commandProblems(command, allowed, workdir).map((problem) => problem.name)

describe('what a replay may run anywhere', () => {
  it.each([
    'ls -la src && wc -l < a.txt',
    'cd {{cwd}}/data && pwd && cat a.txt',
    'grep -rn "foo/bar" . | sort | uniq -c > out.txt 2>/dev/null',
    'node --test > log 2>&1; tail -5 log',
    'A=1 B=2 env | grep A',
    'git status && git log --oneline | head -3 && git commit -m "fetch it"',
    'npm test -- --run',
    'cut -d/ -f1 paths.txt',
    'echo $(($(cat n.txt) + 1)) > n.txt',
    'cat a/../b.txt ./c ...',
    'sed -i s/a/b/ x.txt',
    'echo "$PWD" && printf %s a..b',
    'printf "ls" > script && chmod +x script',
    'bash script.sh',
    'A=1',
  ])('%s', (command) => {
    expect(names(command)).toEqual([])
  })
})

describe('what it may not', () => {
  it.each<[string, string[]]>([
    ['cat /etc/hostname', ['/etc/hostname']],
    ['ls /', ['/']],
    ['rm -rf ~', ['~']],
    ['cat ~/notes "$HOME/x" ${HOME}/y', ['~/notes', '$HOME/x', '${HOME}/y']],
    ['ls $HOME', ['$HOME']],
    ['echo x > /tmp/x', ['/tmp/x']],
    ['tool --file=/srv/a -I/usr/include', ['/srv/a', '/usr/include']],
    ['CONFIG=/etc/x tool', ['/etc/x']],
    ['/usr/bin/env node', ['/usr/bin/env']],
    ['cat ../x a/../../y {{cwd}}/../z', ['../x', 'a/../../y', '{{cwd}}/../z']],
    ['tool --in=../x', ['--in=../x']],
    ['exec 3<>/dev/tcp/localhost/80', ['/dev/tcp/localhost/80']],
    ['sudo ls', ['sudo']],
    ['sudo -u me curl example.org', ['sudo', 'curl']],
    ['true && doas x', ['doas']],
    ['curl -s https://example.org', ['curl']],
    ['/usr/bin/wget x', ['wget', '/usr/bin/wget']],
    ['if true; then ssh host; fi', ['ssh']],
    ['time nc -l 1', ['nc']],
    ['timeout 5 curl x', ['curl']],
    ['ls | xargs -n 1 curl', ['curl']],
    ['find . -exec curl {} \\;', ['curl']],
    ['A=1 curl x', ['curl']],
    ['git clone https://example.org/x', ['git']],
    ['npm install left-pad', ['npm']],
    ['pip install x && npx y', ['pip', 'npx']],
    ['cat x | bash', ['bash']],
    ['cat x | sudo sh -s', ['sudo', 'sh']],
    ['bash <(curl x)', ['curl']],
    ['bash -c "sudo x"', ['sudo']],
    ['sh -ec', []],
    [`eval 'cat /etc/passwd'`, ['/etc/passwd']],
    ['echo "$(curl x)"', ['curl']],
    ['curl a; curl b', ['curl']],
  ])('%s', (command, expected) => {
    expect(names(command)).toEqual(expected)
  })

  it('says why', () => {
    expect(commandProblems('sudo ls /x | sh; curl y; git pull; cat ../z')).toEqual([
      { name: 'sudo', reason: 'sudo takes more rights' },
      { name: '/x', reason: '/x lies outside the working directory' },
      { name: 'sh', reason: 'sh runs what is piped into it' },
      { name: 'curl', reason: 'curl goes to the network' },
      { name: 'git', reason: 'git pull goes to the network' },
      { name: '../z', reason: '../z leads out of the working directory' },
    ])
  })

  it('looks at the folder that a command runs in', () => {
    expect(names('ls', [], '/etc')).toEqual(['/etc'])
    expect(names('ls', [], '..')).toEqual(['..'])
    expect(names('ls', [], 'sub')).toEqual([])
  })
})

describe('what a scenario allows', () => {
  it('is allowed by name, and paths with all below them', () => {
    expect(names('curl x; sudo y', ['curl'])).toEqual(['sudo'])
    expect(names('ls /usr/share/doc /usr/sharex', ['/usr/share'])).toEqual(['/usr/sharex'])
    expect(names('ls /usr/share/doc', ['/usr/share/'])).toEqual([])
    expect(names('curl x', ['cur'])).toEqual(['curl'])
  })
})
