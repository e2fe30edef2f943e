// Clients of grpc-go that each watch one resource; see test/interop/support/verdict-client.ts. A channel watches only the
// resources on its way to endpoints, so this uses the XdsClient directly.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"google.golang.org/grpc"
	_ "google.golang.org/grpc/balancer/rls" // Registers a plugin that resources may name.
	"google.golang.org/grpc/internal/xds/bootstrap"
	"google.golang.org/grpc/internal/xds/clients/xdsclient"
	xds "google.golang.org/grpc/internal/xds/xdsclient"
	_ "google.golang.org/grpc/xds" // Registers filters and policies.
)

type watch struct {
	Bootstrap json.RawMessage
	TypeURL   string
	Name      string
}

type command struct {
	Op      string
	Watches []watch
}

// Ignores all updates: the test reads the ACK or NACK on the stream instead.
type ignoringWatcher struct{}

func (ignoringWatcher) ResourceChanged(_ xdsclient.ResourceData, done func()) { done() }
func (ignoringWatcher) ResourceError(_ error, done func())                    { done() }
func (ignoringWatcher) AmbientError(_ error, done func())                     { done() }

func start(w watch) (func(), error) {
	config, err := bootstrap.NewConfigFromContents(w.Bootstrap)
	if err != nil {
		return nil, err
	}
	client, stop, err := xds.NewPool(config).NewClientForTesting(xds.OptionsForTesting{Name: "verdicts"})
	if err != nil {
		return nil, err
	}
	cancel := client.WatchResource(w.TypeURL, w.Name, ignoringWatcher{})
	return func() { cancel(); stop() }, nil
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]string{"version": fmt.Sprint("grpc-go ", grpc.Version)})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	var stops []func()
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		switch c.Op {
		case "watch":
			for _, w := range c.Watches {
				stop, err := start(w)
				if err != nil {
					log.Fatal(err)
				}
				stops = append(stops, stop)
			}
		case "close":
			for _, stop := range stops {
				stop()
			}
			stops = nil
		}
		out.Encode(struct{}{})
	}
}
