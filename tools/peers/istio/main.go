// Istio's discovery server that follows the commands on its standard input; see ../../support/istio.ts. Its own binary
// needs Kubernetes, so this is the server as Istio's tests start it, on a store of configurations in memory.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"

	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pilot/test/xds"
	istiolog "istio.io/istio/pkg/log"
)

type command struct {
	Op string
	// Of "apply" and "delete": Istio's own resources, as YAML.
	Configs string
}

// What Istio takes for a test: it is never over, and what fails ends the program.
type life struct{}

func (life) Fail()                             { log.Fatal("failed") }
func (life) FailNow()                          { log.Fatal("failed") }
func (life) Fatal(args ...any)                 { log.Fatal(args...) }
func (life) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }
func (life) Log(...any)                        {}
func (life) Logf(string, ...any)               {}
func (life) TempDir() string                   { return os.TempDir() }
func (life) Helper()                           {}
func (life) Cleanup(func())                    {}
func (life) Skip(...any)                       {}

type plane struct {
	istio *xds.FakeDiscoveryServer
	grpc  *grpc.Server
	port  int
}

// The port is the same after a restart.
func (p *plane) start() error {
	socket, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		return err
	}
	p.port = socket.Addr().(*net.TCPAddr).Port
	p.grpc = grpc.NewServer()
	p.istio.Discovery.Register(p.grpc)
	go p.grpc.Serve(socket)
	return nil
}

func (p *plane) apply(yaml string) error {
	configs, _, err := crd.ParseInputs(yaml)
	if err != nil {
		return err
	}
	store := p.istio.Store()
	for _, config := range configs {
		if known := store.Get(config.GroupVersionKind, config.Name, config.Namespace); known == nil {
			_, err = store.Create(config)
		} else {
			config.ResourceVersion = known.ResourceVersion
			_, err = store.Update(config)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *plane) delete(yaml string) error {
	configs, _, err := crd.ParseInputs(yaml)
	if err != nil {
		return err
	}
	for _, config := range configs {
		if err := p.istio.Store().Delete(config.GroupVersionKind, config.Name, config.Namespace, nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *plane) follow(c command) error {
	switch c.Op {
	case "apply":
		return p.apply(c.Configs)
	case "delete":
		return p.delete(c.Configs)
	case "stop":
		p.grpc.Stop()
	case "start":
		return p.start()
	}
	return nil
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "istio.io/istio" {
				return "istio " + module.Version
			}
		}
	}
	return "istio"
}

func main() {
	// Istio's log goes to the standard output unless told otherwise.
	logging := istiolog.DefaultOptions()
	logging.OutputPaths = []string{"stderr"}
	logging.SetDefaultOutputLevel(istiolog.OverrideScopeName, istiolog.WarnLevel)
	if err := istiolog.Configure(logging); err != nil {
		log.Fatal(err)
	}
	p := &plane{istio: xds.NewFakeDiscoveryServer(life{}, xds.FakeOptions{})}
	if err := p.start(); err != nil {
		log.Fatal(err)
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"port": p.port, "version": version()})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		if err := p.follow(c); err != nil {
			log.Fatal(err)
		}
		out.Encode(map[string]int{"port": p.port})
	}
}
