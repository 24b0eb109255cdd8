// `quarry completion SHELL`: a script that completes commands and their flags.
import { ConfigError } from '../config/load.js';
import { argumentsOf } from './reading.js';
import { flagsOf, switchesOf, type Verb } from './verb.js';

const OTHERS = [
  'serve',
  'config',
  'keys',
  'autoindex',
  'map',
  'backup',
  'restore',
  'check',
  'eval',
  'mcp',
  'help',
  'version',
];

/** `verbs`: all, asked when it runs. */
export function completionVerb(verbs: () => readonly Verb[]): Verb {
  return {
    name: 'completion',
    usage: 'bash|zsh|fish',
    about: 'Prints a script that completes commands and flags in this shell.',
    flags: {},
    remote: false,
    examples: [
      'completion bash > /etc/bash_completion.d/quarry',
      'completion zsh > ~/.zfunc/_quarry',
      'completion fish > ~/.config/fish/completions/quarry.fish',
    ],
    run: async (context) => {
      const [shell = ''] = argumentsOf(context, 'SHELL');
      const script = scriptFor(shell, verbs());
      context.print(context.json ? JSON.stringify({ shell, script }) : script);
      return 0;
    },
  };
}

function scriptFor(shell: string, verbs: readonly Verb[]): string {
  const names = [...verbs.map(({ name }) => name), ...OTHERS].join(' ');
  const cases = verbs.map((verb) => ({
    name: verb.name,
    flags: [...Object.keys(flagsOf(verb)), ...Object.keys(switchesOf(verb)), 'help'],
  }));
  if (shell === 'bash') return bash(names, cases);
  if (shell === 'zsh')
    return `#compdef quarry\nautoload -U +X bashcompinit && bashcompinit\n${bash(names, cases)}`;
  if (shell === 'fish') return fish(verbs, names);
  throw new ConfigError(`completion knows bash, zsh and fish, not [${shell}]`);
}

function bash(names: string, cases: readonly { name: string; flags: readonly string[] }[]): string {
  return [
    '_quarry() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}"`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${names}" -- "$word"))`,
    '    return',
    '  fi',
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases.map(
      ({ name, flags }) =>
        `    ${name}) COMPREPLY=($(compgen -W "${flags.map((flag) => `--${flag}`).join(' ')}" -- "$word")) ;;`,
    ),
    '  esac',
    '}',
    'complete -o default -F _quarry quarry',
  ].join('\n');
}

function fish(verbs: readonly Verb[], names: string): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  return [
    `complete -c quarry -n __fish_use_subcommand -a ${quoted(names)}`,
    ...verbs.flatMap((verb) =>
      [...Object.entries(flagsOf(verb)), ...Object.entries(switchesOf(verb))].map(
        ([flag, about]) =>
          `complete -c quarry -n '__fish_seen_subcommand_from ${verb.name}' -l ${flag} -d ${quoted(about)}`,
      ),
    ),
  ].join('\n');
}
