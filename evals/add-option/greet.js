const help = `Usage: node greet.js [options]

  --name NAME   who is greeted (default: World)
  --help        print this`;

const words = process.argv.slice(2);
let name = "World";
for (let index = 0; index < words.length; index += 1) {
  switch (words[index]) {
    case "--name":
      index += 1;
      name = words[index];
      break;
    case "--help":
      console.log(help);
      process.exit(0);
    default:
      console.error(`Unknown option ${words[index]}`);
      process.exit(2);
  }
}
console.log(`Hello, ${name}!`);
